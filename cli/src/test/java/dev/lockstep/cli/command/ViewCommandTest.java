// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.Main;
import dev.lockstep.cli.TestArguments;
import dev.lockstep.error.UserException;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.Browser;
import dev.lockstep.write.ServedPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewCommandTest {
    @TempDir
    Path folder;

    private static HttpResponse<byte[]> ask(String method, String address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(address))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    @Test
    void givesTheFileToPagesOfTheUi() throws IOException, InterruptedException {
        byte[] content = "a trace".getBytes(UTF_8);
        Path file = Files.write(folder.resolve("run 1.pftrace"), content);
        try (TraceServer server = new TraceServer(file, 0)) {
            assertThat(server.deepLink())
                    .isEqualTo("https://ui.perfetto.dev/#!/?url="
                            + server.address().replace("%", "%25"));
            assertThat(server.address()).endsWith("/run%201.pftrace");
            HttpResponse<byte[]> answer = ask("GET", server.address());
            assertThat(answer.statusCode()).isEqualTo(HttpURLConnection.HTTP_OK);
            assertThat(answer.body()).isEqualTo(content);
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .contains("https://ui.perfetto.dev");
            HttpResponse<byte[]> head = ask("HEAD", server.address());
            assertThat(head.statusCode()).isEqualTo(HttpURLConnection.HTTP_OK);
            assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(content.length);
            HttpResponse<byte[]> before = ask("OPTIONS", server.address());
            assertThat(before.statusCode()).isEqualTo(HttpURLConnection.HTTP_NO_CONTENT);
            assertThat(before.headers().firstValue("Access-Control-Allow-Private-Network"))
                    .contains("true");
        }
    }

    @Test
    void thePartToShowIsTwoTimesInOrder() throws IOException {
        Path file = Files.write(folder.resolve("a.json"), new byte[] {1});
        for (String part : List.of("5", "7-5", "5-5", "1-x", "-5-7", "1-9999999999999999999")) {
            StringWriter err = new StringWriter();
            int status = Main.run(
                    new PrintWriter(new StringWriter()),
                    new PrintWriter(err),
                    "view",
                    "--no-open",
                    "--at=" + part,
                    file.toString());
            assertThat(status).as(part).isEqualTo(ExitStatus.USAGE);
            assertThat(err.toString()).contains("--at " + part + ": this is no part of a trace");
        }
    }

    @Test
    void givesNothingElse() throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("a.json"), new byte[] {1});
        Files.write(folder.resolve("b.json"), new byte[] {2});
        try (TraceServer server = new TraceServer(file, 0)) {
            String root = server.address().replace("a.json", "");
            assertThat(ask("GET", root).statusCode()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
            assertThat(ask("GET", root + "b.json").statusCode()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
            assertThat(ask("GET", root + "x/../a.json").statusCode()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
            assertThat(ask("PUT", server.address()).statusCode()).isEqualTo(HttpURLConnection.HTTP_BAD_METHOD);
            URI address = URI.create(server.address());
            String ours = "Host: 127.0.0.1:" + address.getPort() + "\r\n";
            String another = "Host: somewhere.example\r\n";
            assertThat(answer(address, another))
                    .doesNotContain("200 OK", "\u0001")
                    .contains("HTTP/1.1 4");
            assertThat(answer(address, another + ours)).doesNotContain("200 OK", "\u0001");
            assertThat(answer(address, ours + another)).doesNotContain("200 OK", "\u0001");
            assertThat(answer(address, ours)).contains("200 OK").endsWith("\u0001");
        }
    }

    private static String answer(URI address, String hosts) throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            String request = "GET " + address.getPath() + " HTTP/1.1\r\n" + hosts + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void itsOwnPageIsServedWithThePartsOfItsTimeline() throws Exception {
        Report report = PerformanceReport.of(
                SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(1), 0), ReportOptions.standard());
        try (PageServer server = new PageServer(new ServedPage(report), 0)) {
            String page = new String(ask("GET", server.address()).body(), UTF_8);
            assertThat(page).contains("connect-src 'self'");
            HttpResponse<byte[]> tile = ask("GET", server.address() + "tile?row=0&from=0&to=1000000000");
            assertThat(tile.statusCode()).isEqualTo(HttpURLConnection.HTTP_OK);
            assertThat(new String(tile.body(), UTF_8)).startsWith("{\"n\":").contains("\"data\":\"");
            for (String wrong : List.of(
                    "tile",
                    "tile?row=99999&from=0&to=5",
                    "tile?row=0&from=5&to=5",
                    "x",
                    "tile?row=0&from=0&to=5&x=1")) {
                assertThat(ask("GET", server.address() + wrong).statusCode())
                        .as(wrong)
                        .isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
            }
            assertThat(Browser.open(server.address(), ""))
                    .contains("data-loaded=\"true\"")
                    .doesNotContain("data-error");
        }
    }

    @Test
    void itsOwnPageIsForThoseWhoKnowTheAddress() throws IOException, InterruptedException {
        try (PageServer server = new PageServer(new ServedPage(new Report("", "", List.of())), 0)) {
            URI address = URI.create(server.address());
            assertThat(address.getPath()).matches("/[0-9a-f]{32}/");
            String root = "http://127.0.0.1:" + address.getPort() + "/";
            for (String wrong : List.of(root, root + "0".repeat(32) + "/", root + "tile?row=0&from=0&to=5")) {
                assertThat(ask("GET", wrong).statusCode()).isEqualTo(HttpURLConnection.HTTP_FORBIDDEN);
            }
            assertThat(ask("POST", server.address()).statusCode()).isEqualTo(HttpURLConnection.HTTP_BAD_METHOD);
            assertThat(ask("GET", server.address()).headers().map()).doesNotContainKey("access-control-allow-origin");
            assertThat(answer(address, "Host: somewhere.example\r\n")).contains("HTTP/1.1 403");
            assertThat(answer(address, "Host: 127.0.0.1:" + address.getPort() + "\r\n"))
                    .contains("200 OK");
        }
    }

    @Test
    void whatIsPutInTheFilesPlaceIsNotGivenAway() throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("a.json"), new byte[] {1});
        Path secret = Files.write(folder.resolve("secret"), new byte[] {2});
        try (TraceServer server = new TraceServer(file, 0)) {
            Files.delete(file);
            Files.createSymbolicLink(file, secret);

            assertThat(ask("GET", server.address()).body()).containsExactly(1);
        }
    }

    @Test
    void connectionsAreLimited() throws IOException {
        Path file = Files.write(folder.resolve("a.json"), new byte[] {1});
        try (TraceServer server = new TraceServer(file, 0)) {
            URI address = URI.create(server.address());
            List<Socket> silent = new ArrayList<>();
            int refused = 0;
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(address.getHost(), address.getPort());
                silent.add(socket);
                socket.getOutputStream().write("GET ".getBytes(UTF_8));
            }
            for (Socket socket : silent) {
                socket.setSoTimeout(50);
                refused += isClosed(socket) ? 1 : 0;
                socket.close();
            }
            assertThat(refused).isGreaterThanOrEqualTo(60);
        }
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void servesUntilItIsInterrupted() throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("a.pftrace"), new byte[] {1, 2, 3});
        StringWriter out = new StringWriter();
        int[] status = {-1};
        Thread thread = Thread.ofPlatform().start(() -> status[0] = run(new ViewCommand(0), file, out));
        String address = null;
        for (int i = 0; i < 6000 && address == null; i++) {
            Thread.sleep(10);
            String text = out.toString();
            address = text.contains("\n")
                    ? text.substring(text.indexOf("url=") + 4, text.indexOf('\n'))
                            .strip()
                    : null;
        }
        assertThat(address).isNotNull();
        assertThat(ask("GET", address).body()).containsExactly(1, 2, 3);
        thread.interrupt();
        thread.join(60_000);
        assertThat(status[0]).isEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString()).contains("nothing else", "Ctrl-C");
    }

    @Test
    void explainsAPortThatIsTaken() throws IOException {
        Path file = Files.write(folder.resolve("a.pftrace"), new byte[] {1});
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            Assertions.assertThatExceptionOfType(UserException.class)
                    .isThrownBy(() -> run(new ViewCommand(other.getLocalPort()), file, new StringWriter()))
                    .withMessageContaining("port " + other.getLocalPort() + " is in use")
                    .satisfies(e -> assertThat(e.hint()).contains("9001", "trace_processor"));
        }
    }

    @Test
    void namesAFileThatIsNotThere() {
        StringWriter err = new StringWriter();
        int status = Main.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                "view",
                folder.resolve("no").toString());
        assertThat(status).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("there is no such file");
    }

    private static int run(ViewCommand command, Path file, StringWriter out) {
        return TestArguments.run(command, new PrintWriter(out), "--no-open", file.toString());
    }
}
