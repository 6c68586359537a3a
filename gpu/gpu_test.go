package gpu_test

import (
	"context"
	"os"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/gpu"
	"github.com/statespec/statespec/gpu/cuda"
	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/families"
	"github.com/statespec/statespec/spec/suite"
)

const device = "cuda:0"

// opened is the device, once for a process.
var opened = sync.OnceValues(func() (gpu.Device, error) { return gpu.Open(device) })

// onDevice starts the reference with the device beside the host.
func onDevice(ctx context.Context, p spec.Process) (spec.Subject, error) {
	d, err := opened()
	if err != nil {
		return nil, err
	}
	return subject.Assemble(d.Parts(func() subject.Parts { return subject.Parts{} }))(ctx, p)
}

func TestMain(m *testing.M) {
	driver.ServeIfAsked(onDevice)
	os.Exit(m.Run())
}

// Every spec, with its tensors on the device. The specs are here in every build;
// without a device each is skipped, and says why.
func TestTheReferenceKeepsItsPromisesOnADevice(t *testing.T) {
	RegisterFailHandler(Fail)
	Describe("On a CUDA device", Label("gpu"), func() {
		BeforeEach(func() { cuda.Require(GinkgoT()) })
		families.Specs(suite.Open(driver.Open(onDevice)).On(device))
	})
	AfterSuite(func() {
		if cuda.Unavailable() == "" {
			expectClean()
		}
	})
	RunSpecs(t, "CUDA: every promise on a device")
}

// expectClean closes the device: nothing is left on it, and simulated CUDA saw
// nothing that is not allowed.
func expectClean() {
	d, err := opened()
	Expect(err).NotTo(HaveOccurred())
	Expect(d.CUDA().Reclaim()).To(Succeed())
	if r, simulated := cuda.SimReport(); simulated {
		bytes, allocations := d.CUDA().Allocated()
		Expect([]int64{bytes, int64(allocations)}).To(Equal([]int64{r.LiveBytes, r.LiveAllocs}), "bytes and allocations by our count, and by the CUDA driver's own")
		Expect(r.LiveModules).To(BeNumerically("<=", 1), "modules that the CUDA driver compiled and keeps")
	}
	if r, simulated := cuda.SimReport(); simulated {
		Expect([]int64{r.OutOfBounds, r.UseAfterFree, r.DoubleFree, r.WithoutContext, r.Unsupported}).To(HaveEach(BeZero()),
			"accesses out of bounds, uses after free, double frees, calls without a context, calls not simulated; the last fault: %s", r.LastFault)
	}
	Expect(d.Close()).To(Succeed())
	if r, simulated := cuda.SimReport(); simulated {
		Expect([]int64{r.LeakedAllocs, r.LeakedBytes}).To(HaveEach(BeZero()), "allocations and bytes that were left when the context ended")
	}
}
