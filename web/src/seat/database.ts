/** The IndexedDB in which this browser stores its seats. It exists on plain http, and is written to disk. */

import type { SeatRecord } from "./stored-seat.ts";

const NAME = "fairlog";
const SEATS = "seats";
const LEASES = "leases";

/** Another tab has stored a newer record of the seat. */
export class StaleRecordError extends Error {}

interface Lease {
  id: string;
  holder: string;
  until: number;
}

let opening: Promise<IDBDatabase> | undefined;

/** Return a seat's record, or undefined if this browser has none. Rejects if the browser stores nothing. */
export async function readRecord(id: string): Promise<SeatRecord | undefined> {
  return (await transact(SEATS, "readonly", (seats) => seats.get(id))) as SeatRecord | undefined;
}

/** Return every seat's record of a session that this browser has. */
export async function readRecordsOf(session: string): Promise<SeatRecord[]> {
  const range = IDBKeyRange.bound(`${session}/`, `${session}0`); // "0" follows "/"
  return (await transact(SEATS, "readonly", (seats) => seats.getAll(range))) as SeatRecord[];
}

/**
 * Store the record and increase its `rev`. It is on disk when the promise resolves. Throws
 * StaleRecordError if the stored record has another `rev`.
 */
export async function writeRecord(record: SeatRecord): Promise<void> {
  const next = { ...record, rev: record.rev + 1 };
  await transact(SEATS, "readwrite", (seats, fail) => {
    const found = seats.get(record.id) as IDBRequest<SeatRecord | undefined>;
    found.onsuccess = () => {
      if ((found.result?.rev ?? 0) === record.rev) seats.put(next);
      else fail(new StaleRecordError(`Another tab has stored ${record.id}.`));
    };
    return undefined;
  });
  record.rev = next.rev;
}

/** Take or renew a lease. Returns true if this holder has it. */
export async function acquireLease(id: string, holder: string, milliseconds: number): Promise<boolean> {
  let isMine = false;
  await transact(LEASES, "readwrite", (leases) => {
    const found = leases.get(id) as IDBRequest<Lease | undefined>;
    found.onsuccess = () => {
      const now = Date.now();
      isMine = found.result === undefined || found.result.holder === holder || found.result.until < now;
      if (isMine) leases.put({ id, holder, until: now + milliseconds });
    };
    return undefined;
  });
  return isMine;
}

/** Return a lease if this holder has it. */
export async function releaseLease(id: string, holder: string): Promise<void> {
  await transact(LEASES, "readwrite", (leases) => {
    const found = leases.get(id) as IDBRequest<Lease | undefined>;
    found.onsuccess = () => {
      if (found.result?.holder === holder) leases.delete(id);
    };
    return undefined;
  });
}

/** Run a transaction on a store, and return the result of its request when the transaction is complete. */
async function transact(
  name: string,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore, fail: (error: Error) => void) => IDBRequest | undefined,
): Promise<unknown> {
  const database = await (opening ??= open());
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode, { durability: "strict" });
    let failure: Error | undefined;
    const request = act(transaction.objectStore(name), (error) => {
      failure = error;
      transaction.abort();
    });
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(failure ?? transaction.error);
  });
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(SEATS, { keyPath: "id" });
      request.result.createObjectStore(LEASES, { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("Another tab shows an older page of this server. Reload it."));
  });
}
