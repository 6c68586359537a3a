package dreamzero

import "github.com/statespec/statespec/reference/manager"

// The attributes of the managed path, declared as the document's table has
// them. They are descriptors; the values are the session's.
var (
	callCount         = manager.NewAttr(CallCount, 0)
	currentStartFrame = manager.NewAttr(CurrentStartFrame, 0)
	streamInitialized = manager.NewAttr(StreamInitialized, false)
	featureMap        = manager.NewAttr[any](FeatureMap, nil)
	clipFeatures      = manager.NewAttr[any](ClipFeatures, nil)
	imageCondition    = manager.NewAttr[any](ImageCondition, nil)
	language          = manager.NewAttr[any](Language, nil)
	promptEmbeds      = manager.NewAttr[any](PromptEmbeds, nil)
	pendingFrames     = manager.NewAttr[any](PendingFrames, nil)
)

// carriedAttr returns the attribute of a carried value that is anything, which
// all are but the counters and the flag.
func carriedAttr(name string) manager.Attr[any] {
	switch name {
	case FeatureMap:
		return featureMap
	case ClipFeatures:
		return clipFeatures
	case ImageCondition:
		return imageCondition
	case Language:
		return language
	case PromptEmbeds:
		return promptEmbeds
	}
	return pendingFrames
}
