"""Tests of DreamZero's state: both paths give the same bits, in every library at hand."""

import unittest

import statespec_driver as sd
import statespec_dreamzero as dz
import statespec_manager as sm
from test_statespec_driver import LIBRARIES


class BothPaths(unittest.TestCase):
    def each(self):
        for library in LIBRARIES:
            with self.subTest(library):
                self.libraries = sd.Libraries(library)
                self.values = sd.Values(self.libraries, lambda value: None)
                views = sd.AnyViews(self.libraries)
                manager = sm.SessionStateManager(2)
                models = [dz.Model(over, 2, 2, views) for over in (None, manager)]
                yield [model.open("a") for model in models]

    def tensor(self, seed, *shape, dtype="float32"):
        recipe = {"step": "tensor", "dtype": dtype, "shape": list(shape), "seed": seed}
        return self.values.make(recipe, [])

    def same(self, outputs):
        read = [self.values.read(output) for output in outputs]
        self.assertEqual(read[0], read[1])
        return read[0]

    def test_frames_are_padded_in_front_with_the_oldest(self):
        for states in self.each():
            for i, shape in enumerate([(1, 2, 2, 3), (2, 2, 3), (6, 2, 2, 3), (0, 2, 2, 3)]):
                clip = self.tensor(i, *shape, dtype="uint8")
                shown = self.same([state.accumulate_frames(clip) for state in states])
                self.assertEqual(shown["shape"][0], 4 if i else 1)

    def test_the_stream_reads_alike_within_the_window(self):
        for states in self.each():
            for state in states:
                self.assertRaises(
                    sm.NotReadyError, state.append_encoder_chunk, self.tensor(0, 1, 2, 1, 1, 1)
                )
                state.seed_encoder(self.tensor(0, 1, 4, 1, 2, 2))
            self.same([state.observe_latents(2) for state in states])
            for i in range(1, 5):
                for state in states:
                    state.append_encoder_chunk(self.tensor(i, 1, 4, i, 2, 2))
                shown = self.same([state.observe_latents(2) for state in states])
                self.assertEqual(shown["shape"], [1, 2, 2, 2, 2])
            self.assertRaises(sm.OverReadError, states[1].observe_latents, 3)
            self.assertEqual(states[1].encoder_frames(), 2)

    def test_resets_clear_the_same(self):
        for states in self.each():
            tokens = self.tensor(1, 3, dtype="int64")
            for state in states:
                state.set("language", tokens)
                state.set("call_count", 2)
                state.append_video_latents(self.tensor(2, 1, 2, 3, 1, 1))
            self.assertEqual([s.reset_reason(tokens, 1, -1) for s in states], ["session"] * 2)
            self.assertEqual([s.reset_reason(tokens, 4, 0) for s in states], ["inference"] * 2)
            for state in states:
                state.window_reset()
            self.assertEqual([s.reset_reason(tokens, 1, -1) for s in states], [None] * 2)
            self.assertEqual(
                self.same([s.concatenated_video_latents() for s in states])["shape"][2], 2
            )
            for state in states:
                state.session_reset()
                self.assertIsNone(state.concatenated_video_latents())
                self.assertIsNone(state.get("language"))


if __name__ == "__main__":
    unittest.main()
