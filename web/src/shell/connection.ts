/** Whether others can read what the page sends. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Return whether requests to an address leave this machine unencrypted. */
export function isExposed({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === "http:" && !LOOPBACK.test(hostname);
}
