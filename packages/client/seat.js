// A seat that contributes to the draws of a session, in Node and in browsers.
//
// The folder lib/ has the seat's client and the verifier of the console, compiled from TypeScript.

import { connect } from "./index.js";
import { Contributor } from "./lib/seat/contributor.js";
import { seatKeys } from "./lib/seat/keys.js";
import { Away, Refusal, newKey } from "./lib/seat/requests.js";
import { StoredSeat } from "./lib/seat/stored-seat.js";
import { Fault } from "./lib/verifier/fault.js";
import { verifier } from "./lib/verifier/signatures.js";

export { Away, Fault, Refusal };

const RETRY_MS = 2000;
const OTHER_SEAT = "The store already has a seat. Open it with openSeat, or use another store.";

/** Takes a seat with an invitation's code, and stores what it needs to go on; or opens the one that it has stored. */
export async function takeSeat({ server, code, name, store, fetch = globalThis.fetch }) {
  const stored = await store.read();
  const taking = { server, body: { code, ...(name !== undefined && { name }) } };
  if (stored?.kept !== undefined) {
    if (stored.taking?.server !== server || stored.taking.body.code !== code) throw new Error(OTHER_SEAT);
    return openSeat({ store, fetch });
  }
  let record = stored;
  if (stored === undefined || JSON.stringify(stored.taking) !== JSON.stringify(taking)) {
    record = { id: "", rev: stored?.rev ?? 0, taking, key: newKey() };
    await store.write(record);
  }
  // If the response is lost, a repetition with the same key gets the same seat.
  const { key } = record;
  const ticket = await request(fetch, `${server}/v1/seats`, "", { method: "POST", body: taking.body, key });
  return newSeat(server, ticket, store, record, fetch);
}

/** Sits down on a seat whose ticket you have, such as the GM's, and stores what it needs to go on. */
export async function sit({ server, ticket, store, fetch = globalThis.fetch }) {
  const stored = await store.read();
  if (stored?.kept !== undefined) throw new Error(OTHER_SEAT);
  return newSeat(server, ticket, store, { rev: stored?.rev ?? 0 }, fetch);
}

async function newSeat(server, ticket, store, { rev, taking }, fetch) {
  const { session, seat, token, log_key: logKey } = ticket;
  const created = await StoredSeat.create({ server, session, seat, logKey }, store);
  created.data.token = token;
  Object.assign(created.record, { rev, taking });
  await created.save();
  return opened(created, fetch);
}

/** Goes on with a seat that `takeSeat` has stored. */
export async function openSeat({ store, fetch = globalThis.fetch }) {
  const record = await store.read();
  if (record?.kept === undefined) throw new Error("The store has no seat. Take one with takeSeat.");
  if (record.fault !== undefined) throw new Fault(record.fault.code, record.fault.found, record.fault.expected);
  return opened(new StoredSeat(record, await seatKeys(record.kept.key), store), fetch);
}

const opened = async (stored, fetch) => new Seat(stored, await verifier(), fetch);

class Seat {
  #stored;
  #contributor;

  constructor(stored, verify, fetch) {
    const { server, session, seat, token } = stored.data;
    Object.assign(this, { session, seat, token, ...connect({ server, token, fetch }) });
    this.#stored = stored;
    const api = sessionApi({ server, session, token, fetch, events: this.events });
    this.#contributor = new Contributor(stored, verify, api);
  }

  /** Checks the log and contributes to each draw until the signal. Rejects with Fault if the log is not valid. */
  async run(signal) {
    while (!signal.aborted) {
      try {
        await this.#contributor.run(signal);
      } catch (error) {
        if (error instanceof Fault) await this.#stop(error);
        if (!(error instanceof Away)) throw error;
        await new Promise((done) => { setTimeout(done, RETRY_MS); });
      }
    }
  }

  /** Signs whether the seat takes part in the draws to come. `run` must have begun. */
  setPresence(present) {
    return this.#contributor.setPresence(present);
  }

  /** A log that is not valid is remembered: the seat contributes nothing to it any more. */
  async #stop({ code, found, expected }) {
    this.#stored.record.fault = { code, found, expected, at: new Date().toISOString() };
    await this.#stored.save();
  }
}

/** What lib/seat/requests.js offers to a page's seat, with a token instead of a cookie. */
function sessionApi({ server, session, token, fetch, events }) {
  const path = `${server}/v1/sessions/${session}`;
  return {
    get: (rest, { as, headers } = {}) => request(fetch, path + rest, token, { as, headers }),
    send: (rest, body) => request(fetch, path + rest, token, { method: "POST", body }),
    follow: (version, wake) => {
      const cut = new AbortController();
      const listen = async () => {
        for await (const _ of events(session, { after: version(), signal: cut.signal, draws: true })) wake();
      };
      listen().catch(wake); // the next look meets the same problem
      return { close: () => cut.abort() };
    },
  };
}

async function request(fetch, address, token, { method = "GET", body, key = newKey(), as = "json", headers = {} }) {
  const own = token === "" ? {} : { Authorization: `Bearer ${token}` };
  const sent = body === undefined ? {} : { "Content-Type": "application/json", "Idempotency-Key": key };
  let response;
  try {
    response = await fetch(address, { method, headers: { ...headers, ...own, ...sent }, body: body && JSON.stringify(body) });
    if (response.ok) return await response[as]();
  } catch (error) {
    throw new Away(error.message);
  }
  throw new Refusal(response.status, await response.json().catch(() => ({ title: response.statusText })));
}
