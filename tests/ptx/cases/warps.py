# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp's lanes and of a block's threads together, and jumps.

The number of rows of the kinds used here is a multiple of 32, so every warp is full.
"""

import itertools

from case import case

# Loads the word in shared memory of the thread whose index differs in the bits of the operand. Bit
# 5 selects the other warp.
PARTNER = ("xor.b32 %%r0, %%i, %d; mov.u32 %%r1, own; mad.lo.u32 %%r0, %%r0, 16, %%r1; "
           "ld.shared.u32 %%d, [%%r0];")
EVEN = ("and.b32 %r0, %i, 1; setp.eq.u32 %p, %r0, 0; mov.u32 %d, -1; ", "0x55555555")


def shuffles():
    for mode, bounds in (("up", ("0x0", "0x1800")), ("down", ("0x1f", "0x181f")),
                         ("bfly", ("0x1f", "0x181f", "0x7")), ("idx", ("0x1f", "0x1c1f", "0xf"))):
        for bound in bounds:
            case(32, "i32 i32", "shfl.sync.%s.b32 %%d, %%a, %%b, %s, 0xffffffff;" % (mode, bound))
            case(32, "i32 i32", "shfl.sync.%s.b32 %%d|%%p, %%a, %%b, %s, 0xffffffff; "
                 "selp.u32 %%r0, 1, 0, %%p; add.u32 %%d, %%d, %%r0;" % (mode, bound))
        case(32, "i32 i32", EVEN[0] + "@%%p shfl.sync.%s.b32 %%d, %%a, 2, %s, %s;"
             % (mode, bounds[0], EVEN[1]))
    case(32, "i32 i32", "and.b32 %r0, %b, 0x1f; and.b32 %r1, %b, 0x1800; or.b32 %r1, %r1, 0x1f; "
         "shfl.sync.idx.b32 %d, %a, %r0, %r1, 0xffffffff;")


def votes():
    test = "and.b32 %%r2, %%a, %d; setp.ne.u32 %%q, %%r2, 0; "
    for mode, mask in itertools.product(("all", "any", "uni", "ballot"), (1, 0x7f, 0, -1)):
        vote = {"ballot": "vote.sync.ballot.b32 %%d, %%q, %s;"}.get(
            mode, "vote.sync." + mode + ".pred %%q, %%q, %s; selp.u32 %%d, 1, 0, %%q;")
        case(32, "i32", test % mask + vote % "0xffffffff")
        if mask == 1:
            case(32, "i32", test % mask + EVEN[0] + "@!%p bra OTHERS; "
                 + vote.replace("%%q, %%q", "%%q, !%%q") % EVEN[1] + " OTHERS:")
    for t, k in (("b32", "i32"), ("b64", "i64")):
        for keep in (3, 0, -1):
            case(32, k, "and.%s %%a, %%a, %d; match.any.sync.%s %%d, %%a, 0xffffffff;"
                 % (t, keep, t))
            case(32, k, "and.%s %%a, %%a, %d; match.all.sync.%s %%d|%%p, %%a, 0xffffffff; "
                 "selp.u32 %%r0, 1, 0, %%p; add.u32 %%d, %%d, %%r0;" % (t, keep, t))
        case(32, k, EVEN[0] + "and.%s %%a, %%a, 6; @%%p match.any.sync.%s %%d, %%a, %s;"
             % (t, t, EVEN[1]))
        case(32, k, "match.all.sync.%s %%d, %%a, 0xffffffff;" % t)
    for name in ("add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32",
                 "or.b32", "xor.b32"):
        case(32, "i32", "redux.sync.%s %%d, %%a, 0xffffffff;" % name)
        case(32, "i32", EVEN[0] + "@%%p redux.sync.%s %%d, %%a, %s;" % (name, EVEN[1]))
    case(32, "i32", "activemask.b32 %d; add.u32 %d, %d, %a;")
    case(32, "i32", "and.b32 %r0, %i, 3; setp.eq.u32 %p, %r0, 2; mov.u32 %d, 7; @%p bra OUT; "
         "activemask.b32 %d; OUT: bar.warp.sync 0xffffffff;")
    case(32, "i32", "elect.sync %d|%p, 0xffffffff; selp.u32 %r0, 64, 0, %p; add.u32 %d, %d, %r0;")
    case(32, "i32", EVEN[0] + "xor.b32 %r0, %r0, 1; setp.eq.u32 %p, %r0, 0; @!%p bra OUT; "
         "elect.sync %d|%q, 0xaaaaaaaa; selp.u32 %r0, 64, 0, %q; add.u32 %d, %d, %r0; OUT:")


def barriers():
    store = "st.shared.u32 [%s], %a; "
    for form in ("bar.sync 0;", "bar.sync 2, %n;", "bar.cta.sync 2, %n;", "barrier.sync 3;",
                 "barrier.sync 3, %n;", "barrier.cta.sync 3, %n;", "barrier.sync.aligned 15, %n;",
                 "barrier.cta.sync.aligned 15;", "{ add.u32 %r2, %n, 0; bar.sync 1, %r2; }"):
        case(32, "i32", store + form + " " + PARTNER % 33)
    # Warp 0 writes and arrives, warp 1 waits.
    half = "shr.u32 %r3, %i, 5; setp.eq.u32 %p, %r3, 0; "
    for arrive, sync in (("bar.arrive 1, %n;", "bar.sync 1, %n;"),
                         ("bar.cta.arrive 1, %n;", "bar.cta.sync 1, %n;"),
                         ("barrier.arrive 1, %n;", "barrier.sync 1, %n;"),
                         ("barrier.cta.arrive.aligned 1, %n;", "barrier.cta.sync.aligned 1, %n;")):
        case(32, "i32", half + "mov.u32 %d, %a; @!%p bra WAIT; " + store + arrive + " bra OUT; "
             "WAIT: " + sync + " " + PARTNER % 32 + " OUT:")
    test = "and.b32 %%r2, %%a, %s; setp.ne.u32 %%p, %%r2, 0; "
    for bar, mask in itertools.product(("bar", "bar.cta", "barrier", "barrier.cta", "BARRIER"),
                                       ("1", "0", "-1")):
        # BARRIER means barrier with .aligned, at the place that the manual requires.
        aligned = ".aligned" if bar == "BARRIER" else ""
        for count in ("", ", %n"):
            head = bar.lower() + ".red.%s" + aligned
            case(32, "i32", test % mask + head % "popc" + ".u32 %d, 1" + count + ", %p;")
            for op in ("and", "or"):
                case(32, "i32", test % mask + head % op + ".pred %q, 1" + count
                     + ", %p; selp.u32 %d, 1, 0, %q;")
        case(32, "i32", test % mask + (bar.lower() + ".red.or" + aligned)
             + ".pred %q, 1, !%p; selp.u32 %d, 1, 0, %q;")
    case(32, "i32", store + "bar.warp.sync 0xffffffff; " + PARTNER % 1)
    case(32, "i32", EVEN[0] + "@!%p bra OUT; st.shared.u32 [%s], %a; bar.warp.sync 0x55555555; "
         + PARTNER % 2 + " OUT:")
    for fence in ("membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.sc.gpu",
                  "fence.sc.sys", "fence.sc.cluster", "fence.acq_rel.cta", "fence.acq_rel.gpu",
                  "fence.acq_rel.sys", "fence.acq_rel.cluster", "fence.acquire.cta",
                  "fence.acquire.gpu", "fence.acquire.sys", "fence.release.cta",
                  "fence.release.gpu", "fence.release.sys", "fence.cta", "fence.gpu", "fence.sys",
                  "fence.cluster",
                  "fence.mbarrier_init.release.cluster", "fence.proxy.alias", "fence.proxy.async",
                  "fence.proxy.async.global", "fence.proxy.async.shared::cta"):
        case(32, "i32", "%s%s; bar.warp.sync 0xffffffff; %s" % (store, fence, PARTNER % 1))
    for time in ("0", "20", "%r2"):
        case(32, "i32", "and.b32 %%r2, %%a, 63; nanosleep.u32 %s; mov.u32 %%d, %%a;" % time)


def barrier_objects():
    test = " selp.u32 %r0, 1, 0, %p; shl.b32 %d, %d, 1; or.b32 %d, %d, %r0;"
    # Two arrivals complete a phase. It is tested between them and after them.
    for order, wait in (("", ""), (".release.cta", ".acquire.cta"),
                        (".relaxed.cta", ".relaxed.cta"), (".release.cluster", ".acquire.cluster")):
        for space in (".shared", ".shared::cta"):
            arrive = "mbarrier.arrive%s%s.b64" % (order, space)
            asked = "mbarrier.test_wait%s%s.b64 %%p, [%%s]" % (wait, space)
            phase = "mbarrier.test_wait.parity%s%s.b64 %%p, [%%s]" % (wait, space)
            case(32, "i32", "mov.u32 %d, 1; mbarrier.init" + space + ".b64 [%s], 2; " + arrive
                 + " %w0, [%s]; " + asked + ", %w0;" + test + arrive + " %w1, [%s]; "
                 + asked + ", %w0;" + test + phase + ", 0;" + test + phase + ", 1;" + test
                 + " mbarrier.inval" + space + ".b64 [%s];")
    tries = "mbarrier.try_wait%s.shared.b64 %%p, [%%s], %s;" + test.replace("%", "%%")
    for form, what in (("", "%w0"), ("", "%w0, 10"), (".parity", "0"), (".parity", "0, 10"),
                       (".parity.acquire.cta", "0"), (".acquire.cta", "%w0")):
        case(32, "i32", "mov.u32 %d, 1; mbarrier.init.shared.b64 [%s], 1; "
             "mbarrier.arrive.shared.b64 %w0, [%s]; " + tries % (form, what))
    for form, ends in (("arrive.shared.b64 %w0, [%s], 2", 1),
                       ("arrive.noComplete.shared.b64 %w0, [%s], 2", 0),
                       ("arrive.noComplete.release.cta.shared.b64 %w0, [%s], 1", 0),
                       ("arrive_drop.shared.b64 %w0, [%s]", 0),
                       ("arrive_drop.release.cta.shared.b64 _, [%s]", 0),
                       ("arrive_drop.noComplete.shared.b64 %w0, [%s], 2", 0),
                       ("arrive_drop.shared.b64 %w0, [%s], 2", 0),
                       ("arrive.shared.b64 _, [%s]", 0)):
        more = "mbarrier.arrive.shared.b64 _, [%s]; "
        ask = "mbarrier.test_wait.parity.shared.b64 %p, [%s], 0;" + test
        case(32, "i32", "mov.u32 %d, 1; mbarrier.init.shared.b64 [%s], 3; mbarrier." + form + "; "
             + ask + more + ask + ("" if ends else more + ask))
    case(32, "i32", "mov.u32 %d, 1; mbarrier.init.shared.b64 [%s], 3; "
         "mbarrier.arrive.shared.b64 %w0, [%s]; mbarrier.pending_count.b64 %r2, %w0; "
         "mad.lo.u32 %d, %r2, 16, %d;")


def copies():
    def copy(name, size, tail=""):
        return ("st.global.v2.b64 [%%g], {%%a, %%b}; not.b64 %%w0, %%a; "
                "st.shared.v2.b64 [%%s], {%%w0, %%w0}; cp.async.%s [%%s], [%%g], %d%s; "
                % (name, size, tail))

    done = "ld.shared.v2.b64 {%w0, %w1}, [%s]; mad.lo.u64 %d, %w0, 31, %w1;"
    wait = "cp.async.wait_all; "
    for size in (4, 8, 16):
        for tail in ("", ", 4", ", 0", ", 3"):
            case(64, "i64 i64", copy("ca.shared.global", size, tail) + wait + done)
    for hint in ("L2::64B", "L2::128B", "L2::256B"):
        case(64, "i64 i64", copy("ca.shared.global." + hint, 16) + wait + done)
        case(64, "i64 i64", copy("cg.shared.global." + hint, 16) + wait + done)
    case(64, "i64 i64", copy("cg.shared::cta.global", 16, ", 5") + wait + done)
    case(64, "i64 i64", "createpolicy.fractional.L2::evict_last.b64 %w2, 0.5; "
         + copy("cg.shared.global.L2::cache_hint", 16, ", %w2") + wait + done)
    for group in ("cp.async.commit_group; cp.async.wait_group 0; ",
                  "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; "):
        case(64, "i64 i64", copy("cg.shared.global", 16) + group + done)
    # The barrier object follows the eight copied bytes.
    for noinc, count in (("", 1), (".noinc", 2)):
        for space in (".shared", ".shared::cta"):
            case(64, "i64", "{ add.u32 %%r0, %%s, 8; mbarrier.init.shared.b64 [%%r0], %d; "
                 "st.global.b64 [%%g], %%a; cp.async.ca.shared.global [%%s], [%%g], 8; "
                 "cp.async.mbarrier.arrive%s%s.b64 [%%r0]; mbarrier.arrive.shared.b64 %%w0, [%%r0];"
                 " AGAIN: mbarrier.try_wait.shared.b64 %%p, [%%r0], %%w0; @!%%p bra AGAIN; "
                 "ld.shared.b64 %%d, [%%s]; }" % (count, noinc, space))


def jumps():
    case(32, "i32", "mov.u32 %d, 0; setp.lt.s32 %p, %a, 0; @%p bra NEGATIVE; add.u32 %d, %d, 1; "
         "NEGATIVE: add.u32 %d, %d, 2;")
    case(32, "i32", "mov.u32 %d, 0; and.b32 %r0, %a, 15; LOOP: add.u32 %d, %d, %r0; "
         "setp.ne.u32 %p, %r0, 0; @!%p bra OUT; sub.u32 %r0, %r0, 1; bra.uni LOOP; OUT:")
    for form in ("brx.idx", "brx.idx.uni"):
        index = "0" if form.endswith("uni") else "%a"
        case(32, "i32", "and.b32 %%r0, %s, 3; TABLE: .branchtargets ZERO, ONE, TWO, ZERO; "
             "%s %%r0, TABLE; ZERO: mov.u32 %%d, 10; bra OUT; ONE: mov.u32 %%d, 11; bra OUT; "
             "TWO: mov.u32 %%d, 12; OUT:" % (index, form))
    call = ("{ .param .b32 first; .param .b64 second; .param .b32 result; cvt.u64.u32 %%w0, %%i; "
            "st.param.b32 [first], %%a; st.param.b64 [second], %%w0; "
            "%s (result), twice_and, (first, second)%s; ld.param.b32 %%d, [result]; }")
    case(32, "i32", call % ("call.uni", ""))
    case(32, "i32", "mov.u32 %d, 5; setp.gt.s32 %p, %a, 0; @!%p bra OUT; " + call % ("call", "")
         + " OUT:")
    case(32, "i32", "{ .param .b32 first; .param .b32 result; and.b32 %r0, %a, 15; "
         "st.param.b32 [first], %r0; call (result), sum_to, (first); ld.param.b32 %d, [result]; }")
    for leave in ("ret", "exit"):
        case(32, "i32", "setp.lt.s32 %%p, %%a, 0; @%%p %s; mov.u32 %%d, %%a;" % leave)


PARTS = (shuffles, votes, barriers, barrier_objects, copies, jumps)
