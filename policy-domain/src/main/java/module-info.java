/**
 * The policy layer's own knowledge: the evaluator, the event chain, and the values they speak of. Embed it with nothing
 * but this jar.
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
    exports dev.agentpolicy.domain.decision;
    exports dev.agentpolicy.domain.request;
    exports dev.agentpolicy.domain.event.canonical;
    exports dev.agentpolicy.domain.event.signing;
    exports dev.agentpolicy.domain.event.chain;
    exports dev.agentpolicy.domain.event.anchor;
    exports dev.agentpolicy.domain.event.content;
    exports dev.agentpolicy.domain.event.page;
    exports dev.agentpolicy.domain.event.recompute;
}
