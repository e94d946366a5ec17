/** Notices: how this device tells people what concerns them. The switches are kept in the browser. */

import { readStored, store } from "./storage";

const STORED = "fairlog-notices";
const SHOWN_MS = 7000;
const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.12;

export interface NoticeSettings {
  toasts: boolean;
  sound: boolean;
  vibration: boolean;
  /** Whether the screen stays on while the table is open. */
  wakeLock: boolean;
  /** Whether keys of one letter do something. */
  shortcuts: boolean;
}

const DEFAULTS: NoticeSettings = {
  toasts: true,
  sound: false,
  vibration: true,
  wakeLock: true,
  shortcuts: true,
};

interface Toast {
  id: number;
  shown: string;
}

export const notices = $state<{ settings: NoticeSettings; toasts: Toast[] }>({
  settings: { ...DEFAULTS, ...(readStored(STORED) as Partial<NoticeSettings>) },
  toasts: [],
});

/** Change a switch, and keep it. */
export function setNotice(name: keyof NoticeSettings, value: boolean): void {
  notices.settings[name] = value;
  store(STORED, notices.settings);
  if (name === "sound" && value) play();
}

let number = 0;

/** Tell people something that concerns them, in the ways that they chose. */
export function notify(shown: string): void {
  const { toasts, sound, vibration } = notices.settings;
  if (toasts) {
    const id = ++number;
    notices.toasts = [{ id, shown }];
    setTimeout(() => dismiss(id), SHOWN_MS);
  }
  if (sound) play();
  // Browsers refuse to vibrate before the page was touched, and log it.
  if (vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80);
}

export function dismiss(id: number): void {
  notices.toasts = notices.toasts.filter((each) => each.id !== id);
}

let audio: AudioContext | undefined;

/** Play two short notes. */
function play(): void {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers refuse sound before
  audio ??= new AudioContext();
  NOTES_HZ.forEach((frequency, nth) => {
    const tone = new OscillatorNode(audio!, { frequency, type: "sine" });
    const volume = new GainNode(audio!, { gain: 0 });
    const start = audio!.currentTime + nth * NOTE_SECONDS;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + NOTE_SECONDS * 2);
    tone.connect(volume).connect(audio!.destination);
    tone.start(start);
    tone.stop(start + NOTE_SECONDS * 2);
  });
}

/** Keep the screen on while the page is visible, if people want that. Call the result to stop. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isStopped = false;
  const ask = async () => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    // Refused with an empty battery, for example. The page works without it.
    lock = await navigator.wakeLock.request("screen").catch(() => undefined);
    if (isStopped) void lock?.release();
  };
  const listen = () => void ask();
  document.addEventListener("visibilitychange", listen);
  void ask();
  return () => {
    isStopped = true;
    document.removeEventListener("visibilitychange", listen);
    void lock?.release();
  };
}
