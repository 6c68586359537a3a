"""Tests of the manager: what a report of the whole suite would not show of itself."""

import gc
import threading
import unittest
import weakref

import statespec_manager as sm
from statespec_driver import Storage, Tensor


def tensor(*shape, device="cpu"):
    """A tensor of zeros."""
    n = 1
    for length in shape:
        n *= length
    return Tensor(Storage(bytearray(n), device), "uint8", shape)


def numbered(first, n):
    """Frames (1, n, 2), each of its number."""
    made = tensor(1, n, 2)
    made.write(bytes([first + i // 2 for i in range(2 * n)]))
    return made


class Resolving(unittest.TestCase):
    def resolved(self, word=None, cap=None, **fields):
        environ = {sm.ENABLE_VARIABLE: word, sm.CAP_VARIABLE: cap}
        return sm.resolve(fields, {k: v for k, v in environ.items() if v is not None})

    def test_a_word_decides_in_both_directions(self):
        for word, on in [(" ON\n", True), ("1", True), ("off", False), ("No", False)]:
            self.assertEqual(self.resolved(word, enable_session_state_manager=not on).enabled, on)

    def test_other_text_leaves_the_config(self):
        for word in (None, "", "maybe", "2"):
            self.assertTrue(self.resolved(word, enable_session_state_manager=True).enabled)
            self.assertFalse(self.resolved(word).enabled)

    def test_a_cap_that_cannot_be_used_is_warned_about(self):
        for text in ("many", "", "0", "-5", "3.0"):
            with self.assertLogs(sm.logger, "WARNING") as told:
                self.assertEqual(self.resolved(cap=text).max_sessions, 64)
            self.assertIn(repr(text), told.output[0])
        self.assertEqual(self.resolved(cap=" +6_4 ").max_sessions, 64)


class Rings(unittest.TestCase):
    def ring(self, n):
        ring = sm.LatentBuffer("frames")
        ring.allocate(sm.Bound.frames(n, axis=1))
        return ring

    def test_it_retains_the_last_frames_whatever_brought_them(self):
        ring = self.ring(3)
        ring.commit(numbered(1, 2), numbered(3, 0), numbered(3, 3))
        self.assertEqual(ring.last(3).tobytes(), bytes([3, 3, 4, 4, 5, 5]))
        self.assertEqual(ring.last(1).tobytes(), bytes([5, 5]))

    def test_its_bytes_do_not_grow_and_its_views_do_not_change(self):
        ring = self.ring(2)
        ring.commit(numbered(1, 2))
        view, before = ring.last(2), ring.nbytes_by_device()
        for i in range(50):
            ring.commit(numbered(i, 1))
        self.assertEqual(ring.nbytes_by_device(), before)
        self.assertEqual(view.tobytes(), bytes([1, 1, 2, 2]))

    def test_more_than_it_can_retain_is_refused(self):
        ring = self.ring(2)
        ring.commit(numbered(1, 1))
        self.assertRaises(sm.OverReadError, ring.last, 3)
        self.assertRaises(sm.NotReadyError, ring.last, 2)

    def test_a_refused_payload_changes_nothing(self):
        ring = self.ring(2)
        ring.commit(numbered(1, 1))
        self.assertRaises(sm.ShapeMismatchError, ring.commit, numbered(2, 1), tensor(1, 1, 3))
        self.assertEqual(len(ring), 1)


class Accounting(unittest.TestCase):
    def test_a_slice_counts_its_storage_and_two_views_count_once(self):
        base = tensor(1000)
        self.assertEqual(sm.measure(base.narrow(0, 5, 1), [base]).by_device, {"cpu": 1000})

    def test_overlapping_memory_counts_once_in_any_order(self):
        whole = bytearray(800)
        parts = [
            Tensor(Storage(memoryview(whole)[i : i + 400]), "uint8", [400]) for i in (0, 200, 400)
        ]
        for order in (parts, parts[::-1]):
            self.assertEqual(sm.measure(*order).total, 800)

    def test_every_container_is_seen_into(self):
        class Thing:
            __slots__ = ("held",)

        thing, loop = Thing(), []
        thing.held = tensor(1)
        loop.append(loop)
        deep = tensor(100)
        for _ in range(5_000):
            deep = [deep]
        report = sm.measure({tensor(10): {tensor(1_000)}}, thing, loop, deep, b"x" * 10_000)
        self.assertEqual(report.total, 11_111)
        self.assertEqual(report.unmeasured, [])

    def test_what_cannot_be_measured_is_named(self):
        manager = sm.SessionStateManager(2)
        manager.get_or_create("a").set("x", [tensor(7), (i for i in ())])
        stats = manager.stats()
        self.assertEqual(stats.total_nbytes, 7)
        self.assertEqual(stats.unmeasured, ["session 'a', attribute 'x': generator"])


class Managers(unittest.TestCase):
    def test_an_empty_manager_is_true(self):
        manager = sm.SessionStateManager(1)
        self.assertIs(manager or None, manager)

    def test_an_evicted_session_is_its_holders(self):
        manager = sm.SessionStateManager(1)
        held = manager.get_or_create("a")
        held.set("x", 1)
        manager.get_or_create("b")
        self.assertNotIn("a", manager)
        self.assertEqual(held.get("x"), 1)
        self.assertIsNone(manager.get_or_create("a").get("x"))

    def test_a_session_that_nobody_holds_dies(self):
        manager = sm.SessionStateManager(1)
        gone = weakref.ref(manager.get_or_create("a"))
        manager.get_or_create("b")
        gc.collect()
        self.assertIsNone(gone())

    def test_counters_are_exact_under_threads(self):
        manager = sm.SessionStateManager(4)

        def work(start):
            for i in range(2_000):
                manager.get_or_create(str((start + i) % 7))
                if i % 50 == 0:
                    manager.stats()

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stats = manager.stats()
        self.assertEqual(stats.hits + stats.misses, 8_000)
        self.assertEqual(stats.misses - stats.evictions, stats.sessions)

    def test_a_reset_may_ask_the_manager(self):
        manager = sm.SessionStateManager(2)

        class Curious(sm.LatentBuffer):
            def reset(self):
                manager.stats()
                super().reset()

        session = manager.get_or_create("a")
        session.put("x", Curious())
        session.reset()
        self.assertFalse(session.object("x").resident)

    def test_defaults_are_made_afresh(self):
        manager = sm.SessionStateManager(2, defaults={"x": list})
        manager.get_or_create("a").get("x").append(1)
        self.assertEqual(manager.get_or_create("a").get("x"), [])
        self.assertEqual(manager.get_or_create("b").get("x"), [])


if __name__ == "__main__":
    unittest.main()
