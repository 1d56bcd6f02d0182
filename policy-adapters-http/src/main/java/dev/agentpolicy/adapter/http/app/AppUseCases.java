package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import dev.agentpolicy.domain.usecase.agent.ReadLog;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import dev.agentpolicy.domain.usecase.connection.AnswerConnection;
import dev.agentpolicy.domain.usecase.custodian.BeginPeak;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.CompareIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.policy.PreviewIps;
import dev.agentpolicy.domain.usecase.policy.ReadHome;
import dev.agentpolicy.domain.usecase.policy.RehearseIps;
import dev.agentpolicy.domain.usecase.policy.ReplayIps;
import dev.agentpolicy.domain.usecase.policy.TestIps;
import dev.agentpolicy.domain.usecase.policy.TryTrade;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.request.ReadActivity;
import dev.agentpolicy.domain.usecase.request.ReadInbox;
import dev.agentpolicy.domain.usecase.request.ReadRequests;
import dev.agentpolicy.domain.usecase.request.ReviewRequest;
import dev.agentpolicy.domain.usecase.request.SignRequest;
import dev.agentpolicy.domain.usecase.signin.ChangePassword;
import dev.agentpolicy.domain.usecase.signin.MailLinks;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManageProfile;
import dev.agentpolicy.domain.usecase.signin.ManagePush;
import dev.agentpolicy.domain.usecase.signin.ManageSessions;
import dev.agentpolicy.domain.usecase.signin.ManageViewers;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignUp;
import dev.agentpolicy.domain.usecase.upkeep.DeleteAccount;
import java.util.concurrent.Executor;

/**
 * The use cases of the app API. They work on users' accounts and never on the sandbox.
 *
 * @param asking runs those that wait for a custodian, which may be slow, so that no server thread does
 */
public record AppUseCases(
        SignUp signUp,
        SignIn signIn,
        ManageSessions manageSessions,
        ManageViewers manageViewers,
        ChangePassword changePassword,
        DeleteAccount deleteAccount,
        ManagePasskeys managePasskeys,
        SignRequest signRequest,
        ManageProfile manageProfile,
        ManagePush managePush,
        MailLinks mailLinks,
        ReadState readState,
        AmendIps amendIps,
        BeginPeak beginPeak,
        PreviewIps previewIps,
        ReplayIps replayIps,
        CompareIps compareIps,
        TestIps testIps,
        RehearseIps rehearseIps,
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
        ReadLog readLog,
        ReadUsage readUsage,
        ReadHome readHome,
        ReadActivity readActivity,
        ReadInbox readInbox,
        AnswerConnection answerConnection,
        Executor asking) {}
