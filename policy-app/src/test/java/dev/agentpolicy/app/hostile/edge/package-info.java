/** Values at the edges of what the schemas of docs/openapi.json allow, on both sides of each. */
package dev.agentpolicy.app.hostile.edge;
