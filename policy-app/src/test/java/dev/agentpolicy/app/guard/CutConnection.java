package dev.agentpolicy.app.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** The network between a service and its PostgreSQL, whose connections a test can block or reset. */
public final class CutConnection implements AutoCloseable {
    /** How the server tells, in the open, that a transaction is durable: what was done, and that none is under way. */
    private static final Pattern COMMITTED = Pattern.compile("(COMMIT|INSERT 0 \\d+)\0Z\0\0\0\5I");

    private static final int CHUNK = 16 * 1024;

    private final int database;
    private final ServerSocket door;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answersToLose = new AtomicInteger();
    private volatile boolean isCut;
    private volatile boolean isCutByCommit;
    private boolean isSilent;

    public CutConnection(int database) throws IOException {
        this.database = database;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        WorkerPool.daemon("wire", this::admit).start();
    }

    public int port() {
        return door.getLocalPort();
    }

    /** Drops all traffic in both directions from now on, without a reset. */
    public synchronized void silence() {
        isSilent = true;
    }

    /** Resets every connection, and refuses new ones. */
    public void cut() {
        isCut = true;
        links.forEach(Link::reset);
    }

    /** Resets connections instead of delivering that a transaction is durable; so often. */
    public void loseAnswersOfCommits(int count) {
        answersToLose.set(count);
    }

    /** Cuts at the next commit, which becomes durable without an answer. */
    public void cutAfterCommit() {
        isCutByCommit = true;
        answersToLose.set(1);
    }

    public boolean hasLostThem() {
        return answersToLose.get() == 0;
    }

    /** Delivers again, what was held back by the silence too. */
    public synchronized void mend() {
        isCutByCommit = false;
        isCut = false;
        isSilent = false;
        notifyAll();
    }

    @Override
    public void close() throws IOException {
        door.close();
        cut();
        mend();
    }

    private void admit() {
        while (!door.isClosed()) {
            try {
                new Link(door.accept()).open();
            } catch (IOException closed) {
                // The loop sees it.
            }
        }
    }

    private synchronized void whileSilent() throws InterruptedException {
        while (isSilent) {
            wait();
        }
    }

    private boolean loses(byte[] chunk, int length) {
        boolean isCommitted = COMMITTED
                .matcher(new String(chunk, 0, length, StandardCharsets.ISO_8859_1))
                .find();
        if (!isCommitted || answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            return false;
        }
        if (isCutByCommit) {
            cut();
        }
        return true;
    }

    /** One connection. */
    private final class Link {
        private final Socket service;
        private final Socket server = new Socket();

        Link(Socket service) {
            this.service = service;
        }

        void open() {
            links.add(this);
            try {
                server.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), database));
            } catch (IOException away) {
                reset();
                return;
            }
            if (isCut) {
                reset();
            }
            WorkerPool.daemon("asked", () -> carry(service, server, false)).start();
            WorkerPool.daemon("answered", () -> carry(server, service, true)).start();
        }

        private void carry(Socket from, Socket to, boolean isAnswer) {
            byte[] chunk = new byte[CHUNK];
            try {
                InputStream in = from.getInputStream();
                for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                    whileSilent();
                    if (isAnswer && loses(chunk, length)) {
                        break;
                    }
                    to.getOutputStream().write(chunk, 0, length);
                }
            } catch (IOException | InterruptedException gone) {
                // Told to the other side below.
            }
            reset();
        }

        /** Ends both sides with an RST instead of a farewell. */
        void reset() {
            links.remove(this);
            for (Socket socket : new Socket[] {service, server}) {
                try {
                    socket.setSoLinger(true, 0);
                    socket.close();
                } catch (IOException closed) {
                    // It is.
                }
            }
        }
    }
}
