/** The proof of one roll of a session, fetched and checked in this browser. */

import { ApiError } from "../api/client";
import { text } from "../text";
import { type RollReport, verifyRoll } from "../verifier/roll.ts";

export interface CheckedDraw {
  report: RollReport;
  bytes: ArrayBuffer;
  ms: number;
}

/** Return the address of a roll's file. */
export const proofAddress = (session: string, draw: number): string => `/v1/sessions/${session}/draws/${draw}/proof`;

/** Fetch the proof of a roll and check it. Throws ApiError if there is none. */
export async function checkProof(address: string): Promise<CheckedDraw> {
  const response = await fetch(address);
  if (!response.ok) throw new ApiError(response.status, "", text.proof.notChecked);
  const bytes = await response.arrayBuffer();
  const began = performance.now();
  const report = await verifyRoll(bytes);
  return { report, bytes, ms: performance.now() - began };
}
