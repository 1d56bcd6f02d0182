package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.domain.agent.Scope;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The catalog and the servers of the SDK. Making them takes a while, so the endpoint does it after the start. */
final class McpServers {
    private final CallGate gate;
    private final String version;
    private final McpCatalog catalog;
    private final McpJsonMapper json = new JacksonMcpJsonMapper(new JsonMapper());
    private final Map<Set<Scope>, ScopedServer> servers = new ConcurrentHashMap<>();

    McpServers(CallGate gate, AgentOperations operations, String version) {
        this.gate = gate;
        this.version = version;
        this.catalog = new McpCatalog(operations);
    }

    McpCatalog catalog() {
        return catalog;
    }

    McpJsonMapper json() {
        return json;
    }

    /** The server for keys with some scopes. */
    ScopedServer of(Set<Scope> scopes) {
        return servers.computeIfAbsent(scopes, it -> ScopedServer.of(it, catalog, gate, json, version));
    }
}
