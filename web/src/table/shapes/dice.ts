/** The outlines of dice in a square of 40, and the edges that one sees on them. */

export const OUTLINES: Record<number, readonly [outline: string, edges: string]> = {
  4: ["M20 4l18 31H2z", ""],
  6: ["M12 5h16a7 7 0 0 1 7 7v16a7 7 0 0 1-7 7H12a7 7 0 0 1-7-7V12a7 7 0 0 1 7-7z", ""],
  8: ["M20 2l15 10v16L20 38 5 28V12z", "M20 2l15 26H5z"],
  10: ["M20 2l17 15.5v5L20 38 3 22.5v-5z", "M20 2l10 18-10 7-10-7zM10 20l-7 2.5M30 20l7 2.5M20 27v11"],
  12: ["M20 2l10.600 3.400 6.5 9v11.200l-6.5 9L20 38 9.400 34.600l-6.5-9V14.400l6.5-9z", "M20 8l11.400 8.300L27 29.700H13L8.600 16.300zM20 8V2M31.400 16.300l5.700-1.900M27 29.700l3.600 4.900M13 29.700l-3.600 4.900M8.600 16.300l-5.700-1.900"],
  20: ["M20 2l15.600 9v18L20 38 4.400 29V11z", "M20 10l9.5 16.5h-19zM20 2v8M29.5 26.5l6.100 2.5M10.5 26.5L4.400 29"],
};

/** Other dice, such as d100, are round. */
export const ROUND = "M20 5a15 15 0 1 1 0 30a15 15 0 1 1 0-30z";
