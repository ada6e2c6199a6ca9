// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * An object store in a folder of this machine, {@code flat://BUCKET/KEY}: objects with keys and no folders, which are listed, opened
 * and put as a whole, and neither renamed nor appended to. An object is the file {@code fs.flat.root/BUCKET/KEY}, whose key is encoded
 * as in addresses. {@code .ci/run spark} reads runs from it and writes reports into it.
 */
public final class FlatStore extends FileSystem {
    private static final long BLOCK = 32L << 20;
    private static final String PART = ".part";

    private URI uri = URI.create("flat:///");
    private java.nio.file.Path root = java.nio.file.Path.of("");

    /** For Hadoop, which calls {@link #initialize}. */
    public FlatStore() {}

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        uri = URI.create(name.getScheme() + "://" + name.getAuthority());
        root = java.nio.file.Path.of(configuration.get("fs.flat.root")).resolve(name.getAuthority());
    }

    @Override
    public String getScheme() {
        return "flat";
    }

    @Override
    public URI getUri() {
        return uri;
    }

    private static String key(Path path) {
        String key = path.toUri().getPath();
        return key.startsWith("/") ? key.substring(1) : key;
    }

    private java.nio.file.Path object(Path path) {
        return root.resolve(URLEncoder.encode(key(path), StandardCharsets.UTF_8));
    }

    private Path path(String key) {
        return new Path(uri + "/" + key);
    }

    /** What there is directly below a prefix, by name: objects, and prefixes of several. */
    private Map<String, FileStatus> below(Path path) throws IOException {
        String prefix = key(path).isEmpty() ? "" : key(path) + "/";
        Map<String, FileStatus> found = new TreeMap<>();
        try (Stream<java.nio.file.Path> files = Files.list(root)) {
            for (java.nio.file.Path file : (Iterable<java.nio.file.Path>) files::iterator) {
                String key = URLDecoder.decode(file.getFileName().toString(), StandardCharsets.UTF_8);
                if (key.startsWith(prefix) && !key.endsWith(PART)) {
                    int end = key.indexOf('/', prefix.length());
                    String name = end < 0 ? key : key.substring(0, end);
                    found.put(name, end < 0 ? status(path(name), file) : prefix(path(name)));
                }
            }
        }
        return found;
    }

    private static FileStatus status(Path path, java.nio.file.Path file) throws IOException {
        return new FileStatus(
                Files.size(file),
                false,
                1,
                BLOCK,
                Files.getLastModifiedTime(file).toMillis(),
                path);
    }

    private static FileStatus prefix(Path path) {
        return new FileStatus(0, true, 1, BLOCK, 0, path);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        java.nio.file.Path file = object(path);
        if (!key(path).isEmpty() && Files.isRegularFile(file)) {
            return status(path.makeQualified(uri, getWorkingDirectory()), file);
        }
        if (!key(path).isEmpty() && below(path).isEmpty()) {
            throw new FileNotFoundException("no such key: " + path);
        }
        return prefix(path.makeQualified(uri, getWorkingDirectory()));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        FileStatus status = getFileStatus(path);
        List<FileStatus> found =
                status.isFile() ? List.of(status) : new ArrayList<>(below(path).values());
        return found.toArray(FileStatus[]::new);
    }

    @Override
    public FSDataInputStream open(Path path, int buffer) throws IOException {
        getFileStatus(path);
        RandomAccessFile file = new RandomAccessFile(object(path).toFile(), "r");
        return new FSDataInputStream(new FSInputStream() {
            @Override
            public void seek(long position) throws IOException {
                file.seek(position);
            }

            @Override
            public long getPos() throws IOException {
                return file.getFilePointer();
            }

            @Override
            public boolean seekToNewSource(long position) {
                return false;
            }

            @Override
            public int read() throws IOException {
                return file.read();
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                return file.read(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        });
    }

    /** The object is there when it is whole, and not before. */
    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int buffer,
            short replication,
            long block,
            Progressable progress)
            throws IOException {
        java.nio.file.Path file = object(path);
        java.nio.file.Path part = file.resolveSibling(file.getFileName() + PART);
        Files.createDirectories(root);
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(part));
        return new FSDataOutputStream(
                new FilterOutputStream(out) {
                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        out.write(bytes, from, length);
                    }

                    @Override
                    public void close() throws IOException {
                        if (Files.exists(part)) {
                            super.close();
                            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
                        }
                    }
                },
                null);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return Files.deleteIfExists(object(path));
    }

    @Override
    public FSDataOutputStream append(Path path, int buffer, Progressable progress) {
        throw new UnsupportedOperationException("objects are not appended to");
    }

    @Override
    public boolean rename(Path from, Path to) {
        throw new UnsupportedOperationException("objects are not renamed");
    }

    /** There are none, and nothing needs them. */
    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
        return true;
    }

    @Override
    public void setWorkingDirectory(Path path) {
        throw new UnsupportedOperationException("there are no folders");
    }

    @Override
    public Path getWorkingDirectory() {
        return new Path(uri + "/");
    }
}
