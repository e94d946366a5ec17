/** The part of the statistics that the page shows. */

import type { Schemas } from "../api/client";

export type Figures = Schemas["SessionReport"];
export type FaceCounts = Schemas["Faces"];

/** The answer to a request for statistics. `figures` is absent until they are computed. */
export interface Answer {
  current?: boolean;
  figures?: Figures;
}
