// A draw that everyone may see, as often as they like; it has nothing to do with the real one.

import { at, filled } from "./asking.js";
import { odds } from "./explaining.js";
import { picture } from "./picturing.js";
import { below, disguise } from "./sampler.js";

// In how many of how many cases the first answer that chance can turn either way is sent as it is.
function practiceOdds({ blocks }) {
  for (const { weights } of blocks) {
    if (!weights?.questions) continue;
    const { table, total } = odds(weights, 0);
    const kept = table.map((row, truth) => row[truth]).reduce((a, b) => (b < a ? b : a));
    if (kept && kept < total) return [Number(kept), Number(total)];
  }
  return null;
}

export function practise(survey, words) {
  const found = practiceOdds(survey);
  if (!found) return;
  const [kept, total] = found;
  const weights = { branches: [kept, total - kept], questions: [[[[1, 0], [0, 1]], [[0, 1], [1, 0]]]] };
  const depict = (drawn) => at("practice-draw").replaceChildren(...picture(kept, total, survey.texts, drawn));
  at("practice").querySelectorAll("button").forEach((button, answer) => {
    button.addEventListener("click", () => {
      const drawn = below(total, words);
      const [report] = disguise(weights, [drawn, 0], [answer]);
      const said = [survey.texts.no, survey.texts.yes];
      depict(drawn);
      at("practice-result").textContent = filled(survey.texts.practice_result, {
        drawn: drawn + 1, total, answer: said[answer], report: said[report],
      });
    });
  });
  depict();
  at("practice").hidden = false;
}
