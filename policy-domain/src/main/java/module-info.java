/**
 * Investment policies that decide trades, and signed logs of decisions that anyone can verify; see docs/embedding.md.
 *
 * <p>Exports the values, the evaluator and the verification of chains. What only the service needs is not exported.
 */
module dev.agentpolicy.domain {
    requires static transitive org.jspecify;

    exports dev.agentpolicy.domain.document;
    exports dev.agentpolicy.domain.quantity;
    exports dev.agentpolicy.domain.rule;
    exports dev.agentpolicy.domain.trade;
    exports dev.agentpolicy.domain.ips;
    exports dev.agentpolicy.domain.portfolio;
    exports dev.agentpolicy.domain.agent;
    exports dev.agentpolicy.domain.custodian;
    exports dev.agentpolicy.domain.decision;
    exports dev.agentpolicy.domain.compare;
    exports dev.agentpolicy.domain.event.signing;
    exports dev.agentpolicy.domain.event.chain;
    exports dev.agentpolicy.domain.event.anchor;
    exports dev.agentpolicy.domain.event.recompute;
}
