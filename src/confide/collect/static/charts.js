// How results are drawn, as Vega-Lite. Both charts wait for the data "rows".

const schema = "https://vega.github.io/schema/vega-lite/v6.json"; // names the language; not fetched
const kinds = ["disguised reports", "estimate"];
const common = {
  $schema: schema,
  data: { name: "rows" },
  width: "container",
};

// One question: what came in, and below it the estimate with its 95 % interval.
export const one = {
  ...common,
  height: { step: 18 },
  encoding: {
    y: { field: "answer", type: "nominal", sort: null, title: null },
    yOffset: { field: "kind", type: "nominal", sort: kinds },
  },
  layer: [
    {
      mark: "bar",
      encoding: {
        x: { field: "share", type: "quantitative", title: "share", axis: { format: "%" } },
        color: {
          field: "kind", type: "nominal", legend: { title: null, orient: "top" },
          scale: { domain: kinds, range: ["#a35a00", "#1d7a83"] },
        },
      },
    },
    {
      mark: { type: "rule", strokeWidth: 3, color: "#777" },
      encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } },
    },
  ],
};

// Two questions: the estimated share of every pair of answers.
export const two = {
  ...common,
  height: { step: 32 },
  encoding: {
    x: { field: "column", type: "nominal", sort: null, title: null, axis: { labelAngle: 0 } },
    y: { field: "row", type: "nominal", sort: null, title: null },
  },
  layer: [
    {
      mark: "rect",
      encoding: {
        color: {
          field: "share", type: "quantitative", legend: null, scale: { range: ["#ffffff", "#7cc6cd"], interpolate: "rgb" },
        },
      },
    },
    {
      mark: { type: "text", fontSize: 13, color: "black" },
      encoding: { text: { field: "share", type: "quantitative", format: ".1%" } },
    },
  ],
};
