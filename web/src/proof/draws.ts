/** The proof of one roll of a session, fetched and checked in this browser. */

import "../styles/proof.css";
import { ApiError } from "../api/client";
import { text } from "../text";
import { type RollReport, verifyRoll } from "../verifier/roll.ts";

export interface CheckedDraw {
  report: RollReport;
  bytes: ArrayBuffer;
  ms: number;
}

/** Return the address of a roll's file. */
export const proofAddress = (session: string, draw: number, query = ""): string =>
  `/v1/sessions/${session}/draws/${draw}/proof${query}`;

/** Fetch the proof of a roll and check it. Throws ApiError if there is none. */
export async function checkDraw(session: string, draw: number, query = ""): Promise<CheckedDraw> {
  const response = await fetch(proofAddress(session, draw, query));
  if (!response.ok) throw new ApiError(response.status, "", text.proof.notChecked);
  const bytes = await response.arrayBuffer();
  const began = performance.now();
  const report = await verifyRoll(bytes);
  return { report, bytes, ms: performance.now() - began };
}
