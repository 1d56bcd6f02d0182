package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.document.Word;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Something that needs the owner of an account (docs/reference/app-api.md, The inbox).
 *
 * @param id names it; the same thing that happens anew has another id
 * @param kind what it is
 * @param since since when
 * @param severity how much it matters
 * @param title what happened, as a sentence
 * @param subject what it is about: a trade, a custodian, a rule
 * @param href the page of the console where it is dealt with
 * @param actions what ends it, first what most want
 */
public record InboxItem(
        String id,
        Kind kind,
        Instant since,
        Severity severity,
        String title,
        String subject,
        String href,
        List<Action> actions) {
    /** The gravest first, the newest first within one severity. */
    static final Comparator<InboxItem> ORDER = Comparator.comparing(InboxItem::severity)
            .thenComparing(InboxItem::since, Comparator.reverseOrder())
            .thenComparing(InboxItem::id);

    public InboxItem {
        actions = List.copyOf(actions);
    }

    /** Whether the user may be done with it; else it ends by being answered. */
    boolean canBeDone() {
        return actions.contains(Action.DONE);
    }

    /** What needs the owner. */
    public enum Kind implements Word {
        /** A request waits for an answer. */
        REQUEST,
        /** A proposal was blocked only by rules that ask for approval. */
        APPROVABLE,
        /** An accepted order came to nothing, or is not as it was accepted. */
        ORDER_FAILED,
        /** An accepted order is open for longer than a day. */
        ORDER_STUCK,
        /** A broker reports a trade that no request explains. */
        UNATTESTED_FILL,
        /** The portfolio is outside of a limit of the policy. */
        OUT_OF_LIMITS,
        /** A custodian refuses, or is not heard of. */
        CUSTODIAN,
        /** A looser policy waits, or was dropped because it was invalid when its time came. */
        SCHEDULED_POLICY,
        /** A program waits for the user's consent to a connection. */
        CONNECTION,
        /** The transparency log is stopped, or is not witnessed as its policy wants. */
        LOG
    }

    /** How much it matters, the gravest first. */
    public enum Severity implements Word {
        /** Money may be at risk, or nothing goes on until it is dealt with. */
        HIGH,
        /** It waits for the owner. */
        MEDIUM,
        /** It can wait. */
        LOW
    }

    /** What a user may do about it. */
    public enum Action implements Word {
        ACCEPT,
        REJECT,
        APPROVE,
        CLOSE,
        CANCEL,
        SYNC,
        CONNECT,
        REVIEW,
        DONE
    }
}
