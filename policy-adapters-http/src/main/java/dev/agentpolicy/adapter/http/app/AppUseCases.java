package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import dev.agentpolicy.domain.usecase.owner.AmendIps;
import dev.agentpolicy.domain.usecase.owner.AttestRequest;
import dev.agentpolicy.domain.usecase.owner.ConnectCustodian;
import dev.agentpolicy.domain.usecase.owner.ExecuteOrders;
import dev.agentpolicy.domain.usecase.owner.IssueKeys;
import dev.agentpolicy.domain.usecase.owner.ObservePortfolio;
import dev.agentpolicy.domain.usecase.owner.PreviewIps;
import dev.agentpolicy.domain.usecase.owner.ReadActivity;
import dev.agentpolicy.domain.usecase.owner.ReadHome;
import dev.agentpolicy.domain.usecase.owner.ReadReconciliation;
import dev.agentpolicy.domain.usecase.owner.ReadRequests;
import dev.agentpolicy.domain.usecase.owner.ReviewRequest;
import dev.agentpolicy.domain.usecase.owner.SignIn;
import dev.agentpolicy.domain.usecase.owner.SignUp;
import dev.agentpolicy.domain.usecase.owner.TryTrade;
import dev.agentpolicy.domain.usecase.owner.WatchSessions;
import dev.agentpolicy.domain.usecase.profile.ChangePassword;
import dev.agentpolicy.domain.usecase.profile.DeleteAccount;
import dev.agentpolicy.domain.usecase.profile.ManageProfile;
import dev.agentpolicy.domain.usecase.profile.ManageSessions;
import dev.agentpolicy.domain.usecase.profile.ResetPassword;

/** The use cases of the app API. They work on users' accounts and never on the sandbox. */
public record AppUseCases(
        SignUp signUp,
        SignIn signIn,
        ManageSessions manageSessions,
        ChangePassword changePassword,
        DeleteAccount deleteAccount,
        ManageProfile manageProfile,
        ResetPassword resetPassword,
        ReadState readState,
        AmendIps amendIps,
        PreviewIps previewIps,
        TryTrade tryTrade,
        ObservePortfolio observePortfolio,
        ConnectCustodian connectCustodian,
        IssueKeys issueKeys,
        ReadRequests readRequests,
        ReviewRequest reviewRequest,
        AttestRequest attestRequest,
        ExecuteOrders executeOrders,
        ReadReconciliation readReconciliation,
        ReadAudit readAudit,
        ReadEvents readEvents,
        ReadUsage readUsage,
        ReadHome readHome,
        ReadActivity readActivity,
        WatchSessions watchSessions) {}
