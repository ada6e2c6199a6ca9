// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Gives one file to pages of the Perfetto UI in browsers on this machine, and nothing else to anybody: it listens on the
 * loopback interface, knows one address, and lets pages of that one origin read the answer. The file is opened once; what is
 * put in its place later is not given away. Requests that take long, connections that idle, and more than a few at a time
 * are closed.
 */
final class TraceServer implements AutoCloseable {
    /** The one port from which the UI's content security policy lets it load traces of the user's machine. */
    static final int PORT = 9001;

    private static final String ORIGIN = "https://ui.perfetto.dev";
    private static final int BLOCK = 1 << 16;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    /** Limits of the JDK's server, in seconds and connections; it reads them once, when the first server is made. */
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "600",
            "sun.net.httpserver.idleInterval", "30",
            "sun.net.httpserver.maxIdleConnections", "8",
            "jdk.httpserver.maxConnections", "32");

    private final FileChannel file;
    private final String path;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Begins to listen.
     *
     * @param port {@link #PORT}; 0 for any that is free
     * @throws java.net.BindException when another program has the port
     */
    TraceServer(Path file, int port) throws IOException {
        this.path = "/" + encoded(String.valueOf(file.getFileName()));
        server = onLoopback(port);
        try {
            this.file = FileChannel.open(file);
        } catch (IOException e) {
            server.stop(0);
            throw e;
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** A server that nobody but this machine reaches, and that closes what takes too long; it is not started. */
    static HttpServer onLoopback(int port) throws IOException {
        LIMITS.forEach((name, limit) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, limit);
            }
        });
        return HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0);
    }

    /** Whether a request is for an address of this machine: other names could be a page's trick. */
    static boolean isForThisMachine(HttpExchange exchange, HttpServer server) {
        int port = server.getAddress().getPort();
        List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        return hosts.size() == 1
                && Set.of("127.0.0.1:" + port, "localhost:" + port).contains(hosts.getFirst());
    }

    /** Returns when the thread is interrupted; Ctrl-C ends the process, and the server with it. */
    static void waitForTheEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the file is. */
    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /**
     * The address that opens the file in the Perfetto UI, as its documentation describes it. The UI decodes what stands
     * behind {@code url=}, so that what is encoded in the file's address is encoded once more.
     */
    String deepLink() {
        return ORIGIN + "/#!/?url=" + address().replace("%", "%25");
    }

    @Override
    public void close() throws IOException {
        try (file) {
            server.stop(0);
            threads.close();
        }
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Access-Control-Allow-Origin", ORIGIN);
            headers.set("Vary", "Origin");
            headers.set("Cache-Control", "no-store");
            String method = exchange.getRequestMethod();
            if (!isOurs(exchange)) {
                exchange.sendResponseHeaders(404, -1);
            } else if (method.equals("OPTIONS")) {
                headers.set("Access-Control-Allow-Methods", "GET, HEAD");
                headers.set("Access-Control-Allow-Headers", "*");
                // Browsers ask for this before a public page may read from the user's own machine.
                headers.set("Access-Control-Allow-Private-Network", "true");
                exchange.sendResponseHeaders(204, -1);
            } else if (method.equals("HEAD") || method.equals("GET")) {
                send(exchange, method.equals("GET"));
            } else {
                headers.set("Allow", "GET, HEAD, OPTIONS");
                exchange.sendResponseHeaders(405, -1);
            }
        }
    }

    private boolean isOurs(HttpExchange exchange) {
        return path.equals(exchange.getRequestURI().getRawPath()) && isForThisMachine(exchange, server);
    }

    private void send(HttpExchange exchange, boolean withContent) throws IOException {
        long size = file.size();
        exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
        if (!withContent) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(size));
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        exchange.sendResponseHeaders(200, size == 0 ? -1 : size);
        try (OutputStream body = exchange.getResponseBody()) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK);
            for (long at = 0; at < size; at += block.position()) { // several may read at a time
                block.clear().limit((int) Math.min(BLOCK, size - at));
                if (file.read(block, at) < 0) {
                    throw new IOException("the file has become shorter");
                }
                body.write(block.array(), 0, block.position());
            }
        }
    }
}
