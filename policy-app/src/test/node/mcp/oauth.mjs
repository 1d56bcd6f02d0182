// Connects by consent with clients of others, by their own OAuth code. A user whose session is in SESSION consents
// through the API of the app, unless BROWSER_URL takes the addresses that a program would open in the user's browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as modern from "@modelcontextprotocol/client";
import { Client as Classic } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as ClassicHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";

const base = process.env.BASE_URL;
const mcp = new URL(base + "/mcp");
const trade = { action: "buy", assetSymbol: "SPY", assetType: "tradfi", amountUsd: 501 };
const program = (name, redirect) => ({
  client_name: name,
  redirect_uris: [redirect],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});

/** The user consents, with a cap of 500 USD; answers where the browser is sent then. */
async function consent(address) {
  const asked = await fetch(address, { redirect: "manual" });
  assert.equal(asked.status, 302, await asked.text());
  const id = asked.headers.get("location").split("/connect/")[1];
  const cookie = `${process.env.SESSION}; ${asked.headers.getSetCookie()[0].split(";")[0]}`;
  const headers = { cookie, "content-type": "application/json" };
  const waiting = `${base}/api/app/v1/connections/${id}`;
  const { client, scopes } = await (await fetch(waiting, { headers })).json();
  const body = JSON.stringify({ name: client.name, keyType: "live", scopes, policy: { dailyUsdCap: 500 } });
  const approved = await fetch(`${waiting}/approve`, { method: "POST", headers, body });
  assert.equal(approved.status, 200, await approved.clone().text());
  return new URL((await approved.json()).redirectTo);
}

/** What a program does that opens a browser and listens on this computer. */
async function browse(address) {
  if (process.env.BROWSER_URL) {
    await fetch(process.env.BROWSER_URL, { method: "POST", body: address });
    return;
  }
  const answer = await consent(address);
  for (let tries = 0; ; tries++) {
    try {
      await fetch(answer);
      return;
    } catch (failed) {
      // A program may begin to listen a little after it opens the browser.
      if (tries === 50) throw failed;
      await new Promise((later) => setTimeout(later, 100));
    }
  }
}

/** The provider that a program gives to an official client. */
class Provider {
  constructor(name) {
    this.redirectUrl = "http://127.0.0.1:9/callback";
    this.clientMetadata = program(name, this.redirectUrl);
  }
  state() {
    return "a state";
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information) {
    this.information = information;
  }
  tokens() {
    return this.held;
  }
  saveTokens(tokens) {
    this.held = tokens;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  saveDiscoveryState(found) {
    this.found = found;
  }
  discoveryState() {
    return this.found;
  }
  async redirectToAuthorization(address) {
    this.answer = await consent(address);
  }
  invalidateCredentials() {
    this.held = undefined;
  }
}

/** Works within what the user set: the cap is met with a trade beyond it. */
async function works(client) {
  const { tools } = await client.listTools();
  const { structuredContent } = await client.callTool({ name: "validate_trade", arguments: trade });
  assert.match(JSON.stringify(structuredContent), /its daily cap is 500 USD/);
  return `${tools.length} tools`;
}

/** Connects without a token, by consent, and again with a token that works no more, by refreshing. */
async function official(name, Client, Transport) {
  const provider = new Provider(name);
  const connect = async () => {
    const client = new Client({ name, version: "1" });
    await client.connect(new Transport(mcp, { authProvider: provider }));
    return client;
  };
  const first = new Transport(mcp, { authProvider: provider });
  await assert.rejects(new Client({ name, version: "1" }).connect(first), /[Uu]nauthorized/);
  const { searchParams } = provider.answer;
  assert.equal(searchParams.get("state"), "a state");
  await first.finishAuth(name.startsWith("client") ? searchParams : searchParams.get("code"));
  const client = await connect();
  const said = await works(client);
  await client.close();
  const { refresh_token } = provider.held;
  provider.held = { ...provider.held, access_token: "svc_at_" + "0".repeat(64) };
  delete provider.answer;
  const refreshed = await connect();
  await works(refreshed);
  await refreshed.close();
  assert.notEqual(provider.held.refresh_token, refresh_token);
  assert.equal(provider.answer, undefined, "the user was not asked again");
  return said;
}

const ways = {
  "sdk 1.32.2": (name) => official(name, Classic, ClassicHttp),
  "client 2.4.0": (name) => official(name, modern.Client, modern.StreamableHTTPClientTransport),

  async "oauth4webapi 3.8.8"(name) {
    const web = { [oauth.allowInsecureRequests]: true };
    const stranger = await oauth.protectedResourceRequest("x", "POST", mcp, undefined, "{}", web).catch((refused) => refused);
    const [{ parameters }] = stranger.cause;
    assert.equal(parameters.error, "invalid_token");
    const resource = await oauth.processResourceDiscoveryResponse(mcp, await oauth.resourceDiscoveryRequest(mcp, web));
    const issuer = new URL(resource.authorization_servers[0]);
    const find = { ...web, algorithm: "oauth2" };
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, find));
    const redirect = "http://127.0.0.1:9/callback";
    const registration = await oauth.dynamicClientRegistrationRequest(server, program(name, redirect), web);
    const client = await oauth.processDynamicClientRegistrationResponse(registration);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint);
    address.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: redirect,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      scope: "read validate",
      resource: resource.resource,
      state,
    });
    const answer = oauth.validateAuthResponse(server, client, await consent(address), state);
    const none = oauth.None();
    const given = await oauth.authorizationCodeGrantRequest(server, client, none, answer, redirect, verifier, web);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, given);
    assert.equal(tokens.scope, "read validate");
    const again = await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token, web);
    const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
    const whoami = new URL(base + "/api/agent/v1/whoami");
    const call = () => oauth.protectedResourceRequest(refreshed.access_token, "GET", whoami, undefined, undefined, web);
    assert.equal((await call()).status, 200);
    const revoked = await oauth.revocationRequest(server, client, none, refreshed.refresh_token, web);
    await oauth.processRevocationResponse(revoked);
    await assert.rejects(call(), oauth.WWWAuthenticateChallengeError);
    return "connected, refreshed and revoked";
  },

  async "mcp-remote 0.15.1"(name) {
    const folder = await mkdtemp(join(tmpdir(), "mcp-remote-"));
    const transport = new StdioClientTransport({
      command: "node_modules/.bin/node",
      args: ["node_modules/mcp-remote/dist/proxy.js", mcp.href, "--allow-http"],
      env: { ...process.env, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: "/bin/true" },
      stderr: "pipe",
    });
    let said = "";
    let browsing;
    transport.stderr.on("data", (text) => {
      said += text;
      const address = /visiting:\s+(\S+)\n/.exec(said)?.[1];
      if (address) {
        browsing ??= browse(address);
      }
    });
    const client = new Classic({ name, version: "1" });
    try {
      await client.connect(transport);
      await browsing;
      return await works(client);
    } catch (failed) {
      throw new Error(said, { cause: failed });
    } finally {
      await client.close();
      await rm(folder, { recursive: true });
    }
  },

  async "conformance 0.2.0-alpha.12"(name) {
    const port = 20000 + Math.floor(Math.random() * 10000);
    const registered = await fetch(`${base}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(program(name, `http://127.0.0.1:${port}/callback`)),
    });
    const { client_id } = await registered.json();
    const suite = "node_modules/conformance-authorization/dist/index.js";
    const told = ["--url", base, "--client-id", client_id, "--resource", mcp.href, "--port", port];
    const run = spawn("node_modules/.bin/node", [suite, "authorization", ...told]);
    let said = "";
    let browsing;
    const hear = (text) => {
      said += text;
      const address = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(said)?.[1];
      if (address) {
        browsing ??= browse(address);
      }
    };
    run.stdout.on("data", hear);
    run.stderr.on("data", hear);
    const code = await new Promise((ended) => run.on("close", ended));
    assert.equal(code, 0, said);
    assert.match(said, /Total: 3 passed, 0 failed/);
    return "both scenarios of authorization passed";
  },
};

const names = process.env.WAYS?.split(",") ?? Object.keys(ways);
await Promise.all(names.map(async (name) => console.log(`${name}: ${await ways[name](name)}`)));
