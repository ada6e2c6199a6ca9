// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that a run spans, and which of them this is. Each node is launched by itself; all write into one folder, each its
 * own log and manifest.
 *
 * @param processes ranks on each node
 * @param count how many nodes there are
 * @param rank of this node, from 0
 * @param master where the ranks meet
 */
public record LaunchNodes(int processes, int count, int rank, Master master) {
    /** The port at which ranks of several nodes meet unless another one is named; torchrun's own. */
    public static final int PORT = 29500;

    /**
     * Where the ranks meet.
     *
     * @param host name or address of the first node
     * @param port 0 for any that is free
     */
    public record Master(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** A run on this node alone, whose ranks meet at a port that is free. */
    public static LaunchNodes alone(int processes) {
        return new LaunchNodes(processes, 1, 0, new Master("127.0.0.1", 0));
    }

    boolean isAlone() {
        return count == 1;
    }

    /** The name of a file that each node has for itself: {@code run.node1.log} in place of {@code run.log}. */
    String own(String name) {
        if (isAlone()) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String node = ".node" + rank;
        return dot > 0 ? name.substring(0, dot) + node + name.substring(dot) : name + node;
    }

    /** What torchrun must be told of the other nodes. */
    List<String> torchrun() {
        List<String> words = new ArrayList<>();
        if (!isAlone()) {
            words.addAll(List.of("--nnodes", Integer.toString(count), "--node_rank", Integer.toString(rank)));
            words.addAll(List.of("--master_addr", master.host(), "--master_port", Integer.toString(master.port())));
        }
        words.addAll(List.of("--nproc_per_node", Integer.toString(processes)));
        return words;
    }

    /** What the command of a user's own is told of the other nodes, as variables. */
    Map<String, String> variables() {
        Map<String, String> set = new LinkedHashMap<>();
        if (!isAlone()) {
            set.put("NNODES", Integer.toString(count));
            set.put("NODE_RANK", Integer.toString(rank));
            set.put("MASTER_ADDR", master.host());
            set.put("MASTER_PORT", Integer.toString(master.port()));
        }
        return set;
    }

    /**
     * What a rank that is started by itself must know.
     *
     * @param local its number on this node
     * @param free a port that is free here
     */
    Map<String, String> variables(int local, int free) {
        Map<String, String> set = new LinkedHashMap<>();
        set.put("RANK", Integer.toString(rank * processes + local));
        set.put("LOCAL_RANK", Integer.toString(local));
        set.put("WORLD_SIZE", Integer.toString(count * processes));
        set.put("LOCAL_WORLD_SIZE", Integer.toString(processes));
        set.put("MASTER_ADDR", master.host());
        set.put("MASTER_PORT", Integer.toString(master.port() > 0 ? master.port() : free));
        return set;
    }
}
