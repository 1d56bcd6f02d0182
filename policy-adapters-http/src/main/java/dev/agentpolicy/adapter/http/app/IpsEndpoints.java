package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.PreviewJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.owner.AmendIps;
import dev.agentpolicy.domain.usecase.owner.PreviewIps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers calls about the user's policy: read, replace, preview. */
final class IpsEndpoints {
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

    private final ReadState readState;
    private final AmendIps amendIps;
    private final PreviewIps previewIps;
    private final FairShare share;

    IpsEndpoints(AppUseCases useCases, FairShare share) {
        this.readState = useCases.readState();
        this.amendIps = useCases.amendIps();
        this.previewIps = useCases.previewIps();
        this.share = share;
    }

    void read(AppCall call) {
        answer(call, readState.ips(call.user()), "No policy has been set yet.");
    }

    void put(AppCall call) {
        Body.read(
                call.ctx(),
                IpsEndpoints::statement,
                ips -> call.answer(
                        200, amendIps.put(call.user(), ips), (out, amended) -> IpsJson.write(out, amended.version())),
                call::refuse);
    }

    void preview(AppCall call) {
        Body.read(
                call.ctx(),
                IpsEndpoints::statement,
                ips -> share.run(call.ctx(), call.user(), () -> preview(call, ips), call::refuse),
                call::refuse);
    }

    private void preview(AppCall call, Ips ips) {
        Reply.either(
                previewIps.preview(call.user(), ips),
                lines -> call.answer(out -> PreviewJson.write(out, lines)),
                call::refuse);
    }

    void versions(AppCall call) {
        List<IpsVersion> versions = readState.ipsVersions(call.user());
        call.answer(out -> out.array("versions", versions, IpsJson::write));
    }

    void version(AppCall call) {
        String number = call.ctx().pathParam("n");
        Optional<IpsVersion> version = NUMBER.matcher(number).matches()
                ? readState.ipsVersion(call.user(), Integer.parseInt(number))
                : Optional.empty();
        answer(call, version, "There is no version with this number.");
    }

    private static void answer(AppCall call, Optional<IpsVersion> version, String orElse) {
        version.ifPresentOrElse(
                found -> call.answer(out -> IpsJson.write(out, found)),
                () -> call.refuse(ErrorResponse.of(ErrorCode.NOT_FOUND, orElse)));
    }

    /**
     * Reads a policy. Members that only describe a version are ignored, so that a policy that was read can be sent
     * back.
     */
    private static Reading<Ips> statement(Document sent) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
        IpsJson.OF_THE_VERSION.forEach(members::remove);
        return IpsDocument.read(new Document(members, sent.repeated()));
    }
}
