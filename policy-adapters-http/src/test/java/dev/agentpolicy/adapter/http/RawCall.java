package dev.agentpolicy.adapter.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends raw bytes, and reads the answer until the server closes the connection or sends no more. */
public final class RawCall {

    private RawCall() {}

    public static String send(int port, String... parts) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(5_000);
            OutputStream out = socket.getOutputStream();
            for (String part : parts) {
                out.write(part.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
            return answer(socket);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String answer(Socket socket) throws IOException {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        byte[] chunk = new byte[4096];
        for (int read = socket.getInputStream().read(chunk);
                read >= 0;
                read = socket.getInputStream().read(chunk)) {
            seen.write(chunk, 0, read);
        }
        return seen.toString(StandardCharsets.UTF_8);
    }
}
