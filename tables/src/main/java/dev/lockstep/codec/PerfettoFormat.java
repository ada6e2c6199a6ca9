// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

/**
 * The part of Perfetto's trace format that the program reads and writes: numbers of fields in protocol buffer messages
 * (<a href="https://perfetto.dev/docs/reference/trace-packet-proto">reference</a>). A file is one message {@code Trace}:
 *
 * <pre>
 * Trace            1 packet*
 * TracePacket      1 ftrace_events  2 process_tree  5 chrome_events  6 clock_snapshot  8 timestamp
 *                  10 trusted_packet_sequence_id  11 track_event  12 interned_data  13 sequence_flags
 *                  41 incremental_state_cleared  50 compressed_packets (zlib, holds packets of Trace)
 *                  58 timestamp_clock_id  59 trace_packet_defaults  60 track_descriptor
 * TrackEvent       1 timestamp_delta_us  3 category_iids*  4 debug_annotations*  6 legacy_event  9 type
 *                  10 name_iid  11 track_uuid  16 timestamp_absolute_us  22 categories*  23 name
 *                  30 counter_value  36 flow_ids_old*  42 terminating_flow_ids_old*  44 double_counter_value
 *                  47 flow_ids* (fixed64)  48 terminating_flow_ids* (fixed64)
 * LegacyEvent      1 name_iid  2 phase  3 duration_us  6 unscoped_id  8 bind_id  10 local_id  11 global_id
 *                  13 flow_direction  18 pid_override  19 tid_override
 * DebugAnnotation  1 name_iid  2 bool  3 uint  4 int  5 double  6 string  7 pointer  8 nested_value
 *                  9 legacy_json_value  10 name  11 dict_entries*  12 array_values*  17 string_value_iid
 * NestedValue      1 nested_type  2 dict_keys*  3 dict_values*  4 array_values*  5 int  6 double  7 bool  8 string
 * InternedData     1 event_categories*  2 event_names*  3 debug_annotation_names*  29 debug_annotation_string_values*
 *                  each 1 iid  2 text
 * TrackDescriptor  1 uuid  2 name  3 process  4 thread  5 parent_uuid  8 counter  10 static_name
 * ProcessDescriptor 1 pid  2 cmdline*  3 legacy_sort_index  6 process_name  8 process_labels*
 * ThreadDescriptor 1 pid  2 tid  5 thread_name
 * CounterDescriptor 4 unit_multiplier  5 is_incremental
 * ClockSnapshot    1 clocks* (1 clock_id  2 timestamp  3 is_incremental  4 unit_multiplier_ns)
 * TracePacketDefaults 11 track_event_defaults (11 track_uuid)  58 timestamp_clock_id
 * ChromeEventBundle 2 metadata* (1 name  2 string_value  3 bool_value  4 int_value  5 json_value)
 *
 * What recorders of GPUs write, which is read only:
 * TracePacket      52 gpu_counter_event  53 gpu_render_stage_event  128 gpu_info
 * TrackEvent       3000 gpu_correlation (1 render_stage_submission_event_ids*)  3001 gpu_api
 * InternedData     23 graphics_contexts* (1 iid  2 pid)  24 gpu_specifications* (1 iid  2 name  4 category)
 *                  47 gpu_counter_descriptors* (1 iid  2 descriptor)
 *                  1000 compute_kernels* (1 iid  2 name  3 demangled_name)  1001 compute_arg_names* (1 iid  2 name)
 * GpuRenderStageEvent 1 event_id  2 duration  3 hw_queue_id  4 stage_id  5 context  6 extra_data* (1 name  2 value)
 *                  7 specifications (2 hw_queue*  3 stage*, each 1 name)  11 gpu_id  13 hw_queue_iid  14 stage_iid
 *                  17 name  18 event_wait_ids*  19 kernel_iid  20 name_iid
 *                  21 launch (1 grid_size  2 workgroup_size, each 1 x  2 y  3 z;
 *                     3 args*: 1 name_iid  2 name  3 int  4 uint  5 double  6 string)
 * GpuCounterEvent  1 counter_descriptor (1 specs*: 1 counter_id  2 name)
 *                  2 counters* (1 counter_id  2 int_value  3 double_value)  3 gpu_id  4 counter_descriptor_iid
 * GpuInfo          1 gpus* (1 name  3 model)
 * </pre>
 */
public final class PerfettoFormat {
    public static final int VARINT = 0;
    public static final int FIXED64 = 1;
    public static final int BYTES = 2;
    public static final int FIXED32 = 5;

    public static final int TRACE_PACKET = 1;

    public static final int PACKET_CHROME_EVENTS = 5;
    public static final int PACKET_CLOCK_SNAPSHOT = 6;
    public static final int PACKET_TIMESTAMP = 8;
    public static final int PACKET_SEQUENCE = 10;
    public static final int PACKET_TRACK_EVENT = 11;
    public static final int PACKET_INTERNED = 12;
    public static final int PACKET_SEQUENCE_FLAGS = 13;
    public static final int PACKET_STATE_CLEARED = 41;
    public static final int PACKET_COMPRESSED = 50;
    public static final int PACKET_ZSTD = 133;
    public static final int PACKET_GPU_COUNTER = 52;
    public static final int PACKET_RENDER_STAGE = 53;
    public static final int PACKET_GPU_INFO = 128;
    public static final int PACKET_CLOCK = 58;
    public static final int PACKET_DEFAULTS = 59;
    public static final int PACKET_TRACK_DESCRIPTOR = 60;

    public static final int SEQUENCE_STATE_CLEARED = 1;
    public static final int SEQUENCE_NEEDS_STATE = 2;

    public static final int EVENT_DELTA_US = 1;
    public static final int EVENT_CATEGORY_IID = 3;
    public static final int EVENT_ANNOTATION = 4;
    public static final int EVENT_LEGACY = 6;
    public static final int EVENT_TYPE = 9;
    public static final int EVENT_NAME_IID = 10;
    public static final int EVENT_TRACK = 11;
    public static final int EVENT_ABSOLUTE_US = 16;
    public static final int EVENT_CATEGORY = 22;
    public static final int EVENT_NAME = 23;
    public static final int EVENT_COUNTER = 30;
    public static final int EVENT_FLOW_OLD = 36;
    public static final int EVENT_FLOW_END_OLD = 42;
    public static final int EVENT_DOUBLE_COUNTER = 44;
    public static final int EVENT_FLOW = 47;
    public static final int EVENT_FLOW_END = 48;

    public static final int EVENT_GPU_CORRELATION = 3000;
    public static final int EVENT_GPU_API = 3001;
    public static final int GPU_SUBMISSION = 1;
    public static final int GPU_WAIT = 2;

    /** What the numbers of arrows along the critical path begin with in files of our own; they are no recording. */
    public static final long FLOW_OF_PATH = 0x7FFFL << 48;

    public static final int TYPE_BEGIN = 1;
    public static final int TYPE_END = 2;
    public static final int TYPE_INSTANT = 3;
    public static final int TYPE_COUNTER = 4;

    public static final int LEGACY_NAME_IID = 1;
    public static final int LEGACY_PHASE = 2;
    public static final int LEGACY_DURATION_US = 3;
    public static final int LEGACY_UNSCOPED_ID = 6;
    public static final int LEGACY_BIND_ID = 8;
    public static final int LEGACY_LOCAL_ID = 10;
    public static final int LEGACY_GLOBAL_ID = 11;
    public static final int LEGACY_PID = 18;
    public static final int LEGACY_TID = 19;

    public static final int ANNOTATION_NAME_IID = 1;
    public static final int ANNOTATION_BOOL = 2;
    public static final int ANNOTATION_UINT = 3;
    public static final int ANNOTATION_INT = 4;
    public static final int ANNOTATION_DOUBLE = 5;
    public static final int ANNOTATION_STRING = 6;
    public static final int ANNOTATION_POINTER = 7;
    public static final int ANNOTATION_NESTED = 8;
    public static final int ANNOTATION_JSON = 9;
    public static final int ANNOTATION_NAME = 10;
    public static final int ANNOTATION_ENTRY = 11;
    public static final int ANNOTATION_ELEMENT = 12;
    public static final int ANNOTATION_STRING_IID = 17;

    public static final int NESTED_TYPE = 1;
    public static final int NESTED_KEY = 2;
    public static final int NESTED_VALUE = 3;
    public static final int NESTED_ELEMENT = 4;
    public static final int NESTED_INT = 5;
    public static final int NESTED_DOUBLE = 6;
    public static final int NESTED_BOOL = 7;
    public static final int NESTED_STRING = 8;

    public static final int INTERNED_CATEGORY = 1;
    public static final int INTERNED_NAME = 2;
    public static final int INTERNED_ARGUMENT = 3;
    public static final int INTERNED_STRING = 29;
    public static final int INTERNED_IID = 1;
    public static final int INTERNED_TEXT = 2;
    public static final int INTERNED_CONTEXT = 23;
    public static final int INTERNED_SPECIFICATION = 24;
    public static final int INTERNED_COUNTERS = 47;
    public static final int INTERNED_KERNEL = 1000;
    public static final int INTERNED_LAUNCH_ARGUMENT = 1001;
    /** Our own, on an interned string: it is the JSON text of a structure, not a string. Others pass over it. */
    public static final int INTERNED_IS_JSON = 9900;

    public static final int TRACK_UUID = 1;
    public static final int TRACK_NAME = 2;
    public static final int TRACK_PROCESS = 3;
    public static final int TRACK_THREAD = 4;
    public static final int TRACK_PARENT = 5;
    public static final int TRACK_COUNTER = 8;
    public static final int TRACK_STATIC_NAME = 10;

    public static final int PROCESS_PID = 1;
    public static final int PROCESS_SORT_INDEX = 3;
    public static final int PROCESS_NAME = 6;
    public static final int PROCESS_LABEL = 8;

    public static final int THREAD_PID = 1;
    public static final int THREAD_TID = 2;
    public static final int THREAD_NAME = 5;

    public static final int COUNTER_MULTIPLIER = 4;
    public static final int COUNTER_INCREMENTAL = 5;

    public static final int SNAPSHOT_CLOCK = 1;
    public static final int CLOCK_ID = 1;
    public static final int CLOCK_TIMESTAMP = 2;
    public static final int CLOCK_INCREMENTAL = 3;
    public static final int CLOCK_UNIT_NS = 4;
    /** The trace's own clock where nothing else is said. */
    public static final int CLOCK_BOOTTIME = 6;
    /** The first clock that belongs to a sequence alone. */
    public static final int CLOCK_OF_SEQUENCE = 64;

    public static final int DEFAULTS_TRACK_EVENT = 11;
    public static final int DEFAULTS_CLOCK = 58;

    public static final int CHROME_METADATA = 2;
    public static final int METADATA_NAME = 1;
    public static final int METADATA_STRING = 2;
    public static final int METADATA_BOOL = 3;
    public static final int METADATA_INT = 4;
    public static final int METADATA_JSON = 5;

    public static final int STAGE_EVENT_ID = 1;
    public static final int STAGE_DURATION = 2;
    public static final int STAGE_QUEUE_PLACE = 3;
    public static final int STAGE_KIND_PLACE = 4;
    public static final int STAGE_CONTEXT = 5;
    public static final int STAGE_EXTRA = 6;
    public static final int STAGE_SPECIFICATIONS = 7;
    public static final int STAGE_GPU = 11;
    public static final int STAGE_QUEUE = 13;
    public static final int STAGE_KIND = 14;
    public static final int STAGE_NAME = 17;
    public static final int STAGE_WAITS = 18;
    public static final int STAGE_KERNEL = 19;
    public static final int STAGE_NAME_IID = 20;
    public static final int STAGE_LAUNCH = 21;

    public static final int SPECIFICATIONS_QUEUE = 2;
    public static final int SPECIFICATIONS_KIND = 3;
    public static final int EXTRA_NAME = 1;
    public static final int EXTRA_VALUE = 2;
    public static final int CONTEXT_PID = 2;
    public static final int KERNEL_DEMANGLED = 3;

    public static final int LAUNCH_GRID = 1;
    public static final int LAUNCH_BLOCK = 2;
    public static final int LAUNCH_ARGUMENT = 3;
    public static final int LAUNCH_NAME_IID = 1;
    public static final int LAUNCH_NAME = 2;
    public static final int LAUNCH_INT = 3;
    public static final int LAUNCH_UINT = 4;
    public static final int LAUNCH_DOUBLE = 5;
    public static final int LAUNCH_STRING = 6;

    public static final int GPU_COUNTER_DESCRIPTOR = 1;
    public static final int GPU_COUNTER_VALUE = 2;
    public static final int GPU_COUNTER_GPU = 3;
    public static final int GPU_COUNTER_DESCRIPTOR_IID = 4;
    public static final int COUNTERS_DESCRIPTOR = 2;
    public static final int DESCRIPTOR_SPEC = 1;
    public static final int SPEC_ID = 1;
    public static final int SPEC_NAME = 2;
    public static final int VALUE_INT = 2;
    public static final int VALUE_DOUBLE = 3;

    public static final int INFO_GPU = 1;
    public static final int GPU_NAME = 1;
    public static final int GPU_MODEL = 3;

    private PerfettoFormat() {}

    /** The number that stands before a field's value. */
    public static int tag(int field, int wireType) {
        return field << 3 | wireType;
    }
}
