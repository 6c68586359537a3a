package cuda

import (
	"encoding/json"
	"errors"
)

var errNotSimulated = errors.New("the CUDA driver is not the simulated one: it has no controls")

// A Report is what simulated CUDA counted since the process began: over all
// devices, and of each. What it says beyond this is left out.
type Report struct {
	Counters
	LastFault string           `json:"last_fault"` // in words
	Devices   []DeviceCounters `json:"devices"`
}

// DeviceCounters are those of one device.
type DeviceCounters struct {
	Ordinal int `json:"ordinal"`
	Counters
}

// Counters are of calls, bytes and faults; those named Live are of now.
type Counters struct {
	LiveAllocs   int64 `json:"live_allocs"` // allocations of device memory
	LiveBytes    int64 `json:"live_bytes"`
	PeakBytes    int64 `json:"peak_bytes"`
	LiveContexts int64 `json:"ctx_live"`
	LiveStreams  int64 `json:"streams_live"`
	LiveEvents   int64 `json:"events_live"`
	LiveModules  int64 `json:"modules_live"`
	LivePinned   int64 `json:"pinned_live"`

	Allocs                 int64 `json:"allocs"` // that there was room for
	Frees                  int64 `json:"frees"`
	Launches               int64 `json:"launches"`
	HostToDevice           int64 `json:"h2d"` // copies
	DeviceToHost           int64 `json:"d2h"`
	DeviceToDevice         int64 `json:"d2d"`
	HostToDeviceBytes      int64 `json:"h2d_bytes"`
	DeviceToHostBytes      int64 `json:"d2h_bytes"`
	DeviceToDeviceBytes    int64 `json:"d2d_bytes"`
	FreesWithWorkQueued    int64 `json:"free_pending"` // that uses the memory
	QueuedCopiesOfPageable int64 `json:"pageable_async"`

	OutOfBounds    int64 `json:"oob"`
	UseAfterFree   int64 `json:"uaf"`
	DoubleFree     int64 `json:"double_free"`
	WithoutContext int64 `json:"bad_ctx"`     // calls on a thread without a context
	Unsupported    int64 `json:"unsupported"` // calls that are not simulated
	Injected       int64 `json:"injected"`    // errors that were asked for

	LeakedAllocs  int64 `json:"leaked_allocs"` // alive when their context ended
	LeakedBytes   int64 `json:"leaked_bytes"`
	LeakedStreams int64 `json:"leaked_streams"`
	LeakedEvents  int64 `json:"leaked_events"`
	LeakedModules int64 `json:"leaked_modules"`
	LeakedPinned  int64 `json:"leaked_pinned"`
}

// parseReport reads the JSON of a report.
func parseReport(text []byte) (Report, bool) {
	var r Report
	err := json.Unmarshal(text, &r)
	return r, err == nil
}
