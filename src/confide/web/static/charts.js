// How results are drawn, as Vega-Lite. Both charts wait for the data "rows".

const schema = "https://vega.github.io/schema/vega-lite/v6.json"; // names the language; not fetched
const colours = ["#a35a00", "#1d7a83"];
const common = {
  $schema: schema,
  data: { name: "rows" },
  width: "container",
};

// One question: what came in, and below it the estimate with its 95 % interval. The axis has the
// question's name and unit; what came in is called disguised where it is.
export function one({ name, unit, disguised }) {
  const kinds = [disguised ? "disguised reports" : "reports", "estimate"];
  return {
    ...common,
    height: { step: 18 },
    encoding: {
      y: { field: "answer", type: "nominal", sort: null, title: axis(name, unit), axis: { labelLimit: 120 } },
      yOffset: { field: "kind", type: "nominal", sort: kinds },
    },
    layer: [
      {
        mark: "bar",
        encoding: {
          x: { field: "share", type: "quantitative", title: "share", axis: { format: "%", tickCount: 5 } },
          color: {
            field: "kind", type: "nominal", legend: { title: null, orient: "top" },
            scale: { domain: kinds, range: colours },
          },
        },
      },
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", strokeWidth: 3, color: "#777" },
        encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } },
      },
    ],
  };
}

function axis(name, unit) {
  const words = unit ? `${name} (${unit})` : name;
  return words.length > 40 ? `${words.slice(0, 39)}…` : words;
}

const cell = 64;

// Two questions: the estimated share of every pair of answers. Cells keep a width in which their
// number can be read, so that many columns are scrolled, not overprinted.
export function two([row, column], columns, dark) {
  const [range, ink] = dark ? [["#1d2125", "#1d7a83"], "#fff"] : [["#fff", "#7cc6cd"], "#000"];
  return {
    ...common,
    width: Math.max(columns * cell, 240),
    height: { step: 32 },
    encoding: {
      x: { field: "column", type: "nominal", sort: null, title: axis(column), axis: { labelAngle: -30, labelLimit: 120, orient: "top" } },
      y: { field: "row", type: "nominal", sort: null, title: axis(row), axis: { labelLimit: 120 } },
    },
    layer: [
      {
        mark: "rect",
        encoding: {
          color: {
            field: "share", type: "quantitative", legend: null, scale: { range, interpolate: "rgb" },
          },
        },
      },
      {
        mark: { type: "text", fontSize: 13, color: ink },
        encoding: { text: { field: "words", type: "nominal" } },
      },
    ],
  };
}
