package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.usecase.AmendIps;
import dev.agentpolicy.domain.usecase.AttestRequest;
import dev.agentpolicy.domain.usecase.IssueKeys;
import dev.agentpolicy.domain.usecase.ObservePortfolio;
import dev.agentpolicy.domain.usecase.PreviewIps;
import dev.agentpolicy.domain.usecase.ReadAudit;
import dev.agentpolicy.domain.usecase.ReadEvents;
import dev.agentpolicy.domain.usecase.ReadRequests;
import dev.agentpolicy.domain.usecase.ReadState;
import dev.agentpolicy.domain.usecase.ReadUsage;
import dev.agentpolicy.domain.usecase.SignIn;
import dev.agentpolicy.domain.usecase.SignUp;

/** Everything a user can do, all of it on the users' own accounts and never on the sandbox. */
public record AppUseCases(
        SignUp signUp,
        SignIn signIn,
        ReadState readState,
        AmendIps amendIps,
        PreviewIps previewIps,
        ObservePortfolio observePortfolio,
        IssueKeys issueKeys,
        ReadRequests readRequests,
        AttestRequest attestRequest,
        ReadAudit readAudit,
        ReadEvents readEvents,
        ReadUsage readUsage) {}
