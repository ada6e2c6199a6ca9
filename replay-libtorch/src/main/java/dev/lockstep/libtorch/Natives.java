// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.fetch.FetchedLibraries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * The libraries that a worker needs. They are no part of the program: the first replay fetches them with Maven, into the
 * user's own repository, where every later one finds them. Their versions and SHA-256 are part of the program; a file that
 * differs is not opened, wherever it comes from.
 */
public final class Natives {
    private final String version;
    private final FetchedLibraries libraries;

    private Natives(String version, FetchedLibraries libraries) {
        this.version = version;
        this.libraries = libraries;
    }

    /**
     * The libraries for a device on this machine.
     *
     * @throws UserException when there are none for this kind of machine
     */
    public static Natives of(String device) {
        return of(device, FetchedLibraries.repository());
    }

    static Natives of(String device, Path repository) {
        return of(known(), device, repository);
    }

    static Natives of(Properties known, String device, Path repository) {
        String platform = platform();
        String set = device.equals("cuda") ? platform + "-gpu" : platform;
        if (!known.containsKey(set)) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    "there is no libtorch with Java bindings for " + set,
                    "A plan can be exported as a script for the PyTorch of that machine.");
        }
        String version = Objects.requireNonNull(known.getProperty("version"));
        return new Natives(
                version,
                new FetchedLibraries(known.getProperty(set), repository, "a replay needs libtorch " + version)
                        .saying("; on its first start it unpacks about 450 MB into ~/.javacpp/cache", ""));
    }

    /** The libraries that the program knows, by kind of machine. */
    static Properties known() {
        Properties known = new Properties();
        try (InputStream in = Objects.requireNonNull(Natives.class.getResourceAsStream("libtorch.properties"))) {
            known.load(in);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return known;
    }

    /** The kind of this machine. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        String cpu = machine.equals("amd64") ? "x86_64" : machine.equals("aarch64") ? "arm64" : machine;
        String name = system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "macosx" : system;
        return name + "-" + cpu;
    }

    /** Version of the framework. */
    public String version() {
        return version;
    }

    /** Whether all of them are on this machine. */
    public boolean arePresent() {
        return libraries.arePresent();
    }

    /**
     * The class path of the libraries; fetches what is missing.
     *
     * @param say takes what is fetched, from where, and how large it is, before it is fetched
     * @throws UserException when it cannot be fetched
     */
    public List<Path> classPath(Consumer<String> say) throws IOException {
        return libraries.classPath(say);
    }
}
