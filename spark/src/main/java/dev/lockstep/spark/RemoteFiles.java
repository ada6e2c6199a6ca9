// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.session.TraceFormats;
import dev.lockstep.write.ScratchFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * Files by path or URI: object stores and distributed file systems through Hadoop's file systems, as Spark is set up for them.
 *
 * @param settings of Hadoop
 */
record RemoteFiles(Map<String, String> settings) implements Serializable {
    /** Settings as Spark has them. */
    static RemoteFiles of(Configuration configuration) {
        Map<String, String> settings = new HashMap<>();
        configuration.forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
        return new RemoteFiles(settings);
    }

    /** Whether a name is no path of this machine. */
    static boolean isRemote(String name) {
        return name.matches("[a-zA-Z][a-zA-Z0-9+.-]+:/.*");
    }

    /** The files that are meant by paths and URIs: files as they are, folders with the traces below them, patterns. */
    List<String> files(List<String> inputs) throws IOException {
        List<String> files = new ArrayList<>();
        for (String input : inputs) {
            if (isRemote(input)) {
                files.addAll(below(input));
            } else {
                TraceFiles.of(List.of(input)).forEach(file -> files.add(file.toString()));
            }
        }
        return files;
    }

    private List<String> below(String uri) throws IOException {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(uri);
        FileSystem files = system(path);
        FileStatus[] named = matching(uri, files, path);
        if (named == null || named.length == 0) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, uri + ": there is nothing", null);
        }
        TraceFormats formats = new TraceFormats();
        List<String> found = new ArrayList<>();
        for (FileStatus one : named) {
            if (!one.isDirectory()) {
                found.add(one.getPath().toString());
                continue;
            }
            String root = one.getPath().toUri().getPath();
            RemoteIterator<LocatedFileStatus> below = files.listFiles(one.getPath(), true);
            while (below.hasNext()) {
                org.apache.hadoop.fs.Path file = below.next().getPath();
                String inside = file.toUri().getPath().substring(root.length());
                if (!inside.contains("/.") && formats.isTrace(Path.of(file.getName()))) {
                    found.add(file.toString());
                }
            }
        }
        if (found.isEmpty()) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, uri + ": no traces in this directory", formats.hint());
        }
        found.sort(null);
        return found;
    }

    private static FileStatus @Nullable [] matching(String uri, FileSystem files, org.apache.hadoop.fs.Path path)
            throws IOException {
        try {
            return files.globStatus(path);
        } catch (IOException e) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, uri + ": cannot be listed: " + reason(e), null);
        }
    }

    /** Fails where nothing below a URI can be reached, before hours are spent on what shall be written there. */
    void demandReachable(String uri) throws IOException {
        org.apache.hadoop.fs.Path to = new org.apache.hadoop.fs.Path(uri);
        FileSystem files = system(to);
        try {
            files.exists(to);
        } catch (IOException e) {
            throw new UserException(ErrorCode.OUTPUT_FAILED, uri + ": cannot be written to: " + reason(e), null);
        }
    }

    /** What reads and writes addresses of this kind. */
    private FileSystem system(org.apache.hadoop.fs.Path path) throws IOException {
        String scheme = path.toUri().getScheme();
        try {
            return path.getFileSystem(configuration());
        } catch (UnsupportedFileSystemException e) {
            throw unknown(path, scheme);
        } catch (IOException e) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, path + ": cannot be opened: " + reason(e), null);
        } catch (RuntimeException e) {
            if (e.getCause() instanceof ClassNotFoundException) {
                throw unknown(path, scheme);
            }
            throw e;
        }
    }

    private static UserException unknown(org.apache.hadoop.fs.Path path, String scheme) {
        return new UserException(
                ErrorCode.MODULE_MISSING,
                path + ": this Spark has nothing for " + scheme + "://",
                "Start the job with Hadoop's library for it: of s3a, spark-submit --packages"
                        + " org.apache.hadoop:hadoop-aws:VERSION, with the version of Spark's hadoop-client-api.");
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private Configuration configuration() {
        Configuration configuration = new Configuration(false);
        settings.forEach(configuration::set);
        return configuration;
    }

    /**
     * A file on this machine.
     *
     * @param path where it is
     * @param scratch what it was copied into, null for files that were here before
     */
    record Local(Path path, @Nullable ScratchFolder scratch) implements AutoCloseable {
        @Override
        public void close() {
            if (scratch != null) {
                scratch.close();
            }
        }
    }

    /** A file, copied to this machine if it is elsewhere, for as long as it is open. */
    Local local(String name) throws IOException {
        if (!isRemote(name)) {
            return new Local(Path.of(name), null);
        }
        org.apache.hadoop.fs.Path from = new org.apache.hadoop.fs.Path(name);
        ScratchFolder scratch = ScratchFolder.temporary();
        try {
            Path copy = scratch.path().resolve(from.getName());
            try (var in = from.getFileSystem(configuration()).open(from)) {
                Files.copy(in, copy);
            }
            return new Local(copy, scratch);
        } catch (FileNotFoundException e) {
            scratch.close();
            throw new IOException("there is no such file", e);
        } catch (IOException | RuntimeException e) {
            scratch.close();
            throw e;
        }
    }

    /** Puts the files of a folder of this machine below a URI. */
    void put(Path folder, String uri) throws IOException {
        org.apache.hadoop.fs.Path to = new org.apache.hadoop.fs.Path(uri);
        FileSystem files = system(to);
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                files.copyFromLocalFile(
                        false,
                        true,
                        new org.apache.hadoop.fs.Path(file.toUri()),
                        new org.apache.hadoop.fs.Path(to, name));
            }
        }
    }
}
