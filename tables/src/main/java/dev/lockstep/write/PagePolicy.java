// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What a page lets a browser do with it. */
public final class PagePolicy {
    private PagePolicy() {}

    /**
     * A policy that forbids every request, and every style and script but these two.
     *
     * @param style the whole content of the page's style element
     * @param script the same of its script
     * @return the content of the {@code Content-Security-Policy}; directives may be added behind a semicolon
     */
    public static String of(String style, String script) {
        return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(style) + "; script-src "
                + hash(script);
    }

    private static String hash(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
