// Calls a running service by types that were made from its description:
//   npm install && npm run build && BASE_URL=http://127.0.0.1:8080 API_KEY=svc_test_... npm start
import type { components, paths } from "./build/agent-policy.js";

declare const process: { env: Record<string, string | undefined>; exitCode?: number };

type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];
type Method = "get" | "post";
type Operation<Path extends keyof paths, M extends Method> = NonNullable<paths[Path][M]>;
type Sent<O> = O extends { requestBody: { content: { "application/json": infer Body } } } ? Body : undefined;
type Answered<O> = O extends { responses: { 200: { content: { "application/json": infer Body } } } } ? Body : never;

/** An answer that is no 200: every one has the same envelope. */
class Refused extends Error {
  constructor(readonly status: number, readonly body: Schema<"Error">) {
    super(`${status} ${body.error}: ${body.message}`);
  }
}

const baseUrl = required("BASE_URL").replace(/\/$/, "");
const apiKey = required("API_KEY");

async function call<Path extends keyof paths, M extends Method>(
  method: M,
  path: Path,
  body: Sent<Operation<Path, M>>,
  headers: Record<string, string> = {},
): Promise<Answered<Operation<Path, M>>> {
  const response = await fetch(baseUrl + path, {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (response.status !== 200) {
    throw new Refused(response.status, answer as Schema<"Error">);
  }
  return answer as Answered<Operation<Path, M>>;
}

/** What became of a proposal; the compiler knows which members each outcome has. */
function outcome(proposal: Schema<"ProposeResponse">): string {
  if (!proposal.proposed) {
    return `blocked: ${proposal.decision.violations.map((violation) => violation.rule).join(", ")}`;
  }
  return `request ${proposal.serviceRequestId}${proposal.idempotent ? " (again)" : ""}`;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`Set ${name}.`);
  }
  return value;
}

const trade: Schema<"TradePayload"> = { action: "buy", assetSymbol: "SPY", assetType: "tradfi", amountUsd: 2000 };

try {
  const me = await call("get", "/api/agent/v1/whoami", undefined);
  console.log("whoami  ", `${me.keyType} key of ${me.userId}, scopes ${me.scopes.join(" ")}`);

  const decision = await call("post", "/api/agent/v1/policy/validate", trade);
  console.log("validate", decision.reason, decision.violations.map((violation) => violation.message));

  const intention = { "Idempotency-Key": `typed-client-${Date.now()}` };
  const proposal = { ...trade, rationale: "A call of the typed client." };
  console.log("propose ", outcome(await call("post", "/api/agent/v1/trades/propose", proposal, intention)));
  console.log("propose ", outcome(await call("post", "/api/agent/v1/trades/propose", proposal, intention)));
} catch (failed) {
  console.error(failed instanceof Error ? failed.message : failed);
  process.exitCode = 1;
}
