// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.HostNames;
import dev.lockstep.error.FileNames;
import dev.lockstep.goal.nccl.ExportNames;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.model.TraceInfo;
import java.util.List;
import java.util.Objects;

/** On which node each rank lives, as far as that can be known. */
final class RankNodes {
    private RankNodes() {}

    /** One name for each rank: as given, else by host names, else by the devices that traces list. */
    static String[] of(List<KinetoRank> ranks, int gpusPerNode, RecordingNotes notes) {
        if (gpusPerNode > 0) {
            return numbered(ranks, gpusPerNode);
        }
        if (ranks.stream().allMatch(rank -> isExport(rank.collectives().info()))) {
            return ranks.stream()
                    .map(rank -> ofExport(rank.collectives().info()))
                    .toArray(String[]::new);
        }
        List<String> hosts = HostNames.of(
                ranks.stream().map(rank -> rank.collectives().info()).toList());
        if (hosts.stream().allMatch(Objects::nonNull)) {
            return hosts.toArray(String[]::new);
        }
        int devices = ranks.getFirst().collectives().info().devices().size();
        if (devices > 1) {
            notes.assumed("nodes_assumed", devices + " ranks share a node, as many as a trace lists devices");
            return numbered(ranks, devices);
        }
        notes.assumed("nodes_assumed", "all ranks share a node");
        return numbered(ranks, Integer.MAX_VALUE);
    }

    private static boolean isExport(TraceInfo info) {
        return info.format().startsWith("nsys");
    }

    /** As in annotated exports: by the name of the file, else by that of the host, else every file is a node. */
    private static String ofExport(TraceInfo info) {
        String file = String.valueOf(FileNames.path(info.source()).getFileName());
        String named = ExportNames.in(file);
        String host = HostNames.of(List.of(info)).getFirst();
        return named != null ? named : host != null ? host : file;
    }

    private static String[] numbered(List<KinetoRank> ranks, int gpusPerNode) {
        return ranks.stream()
                .map(rank -> "node" + rank.collectives().rank() / gpusPerNode)
                .toArray(String[]::new);
    }
}
