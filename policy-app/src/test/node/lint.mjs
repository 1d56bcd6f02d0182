// Holds the description against the recommended rules of Redocly: npm run lint
import { createConfig, formatProblems, getTotals, lint } from "@redocly/openapi-core";

const config = await createConfig({
  extends: ["recommended"],
  // It does not see what x-outside-operations refers to; OpenApiLintTest looks for unused components.
  rules: { "no-unused-components": "off" },
});
const problems = await lint({ ref: process.argv[2], config });
formatProblems(problems, { totals: getTotals(problems), version: "", color: false });
process.exitCode = problems.length === 0 ? 0 : 1;
