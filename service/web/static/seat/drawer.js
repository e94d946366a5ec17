// Where this browser keeps what its seats need: an IndexedDB that is there on plain http too, written to the disk.

const NAME = "fairlog";
const SEATS = "seats";
const LEASES = "leases";

/** Another tab has written meanwhile: what is in memory is old. */
export class Stale extends Error {}

let opened;

/** A seat's record {id, kept, rev, ...}, undefined where there is none. Rejects where the browser keeps nothing. */
export const read = (id) => within(SEATS, "readonly", (seats) => seats.get(id));

/** Writes the record, where its `rev` is still that of the one that is there, under the next. Throws Stale.
 * It is on the disk when the promise resolves. */
export async function write(record) {
  const next = { ...record, rev: record.rev + 1 };
  await within(SEATS, "readwrite", (seats, done) => {
    const found = seats.get(record.id);
    found.onsuccess = () => {
      if ((found.result?.rev ?? 0) === record.rev) seats.put(next);
      else done(new Stale(`${record.id} was written by another tab`));
    };
  });
  record.rev = next.rev;
}

/** Takes or keeps a lease for so many ms; whether it is this holder's. */
export async function lease(id, holder, forMs) {
  let isMine = false;
  await within(LEASES, "readwrite", (leases) => {
    const found = leases.get(id);
    found.onsuccess = () => {
      const now = Date.now();
      isMine = found.result === undefined || found.result.holder === holder || found.result.until < now;
      if (isMine) leases.put({ id, holder, until: now + forMs });
    };
  });
  return isMine;
}

/** Gives a lease back, if it is this holder's. */
export const release = (id, holder) =>
  within(LEASES, "readwrite", (leases) => {
    const found = leases.get(id);
    found.onsuccess = () => { if (found.result?.holder === holder) leases.delete(id); };
  });

/** What `act` asks a store of, or its request's result, when the transaction is over. */
async function within(name, mode, act) {
  const database = await (opened ??= open());
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode, { durability: "strict" });
    let why;
    const request = act(transaction.objectStore(name), (error) => {
      why = error;
      transaction.abort();
    });
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(why ?? transaction.error);
  });
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(SEATS, { keyPath: "id" });
      request.result.createObjectStore(LEASES, { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab has an older page of this server: reload it"));
  });
}
