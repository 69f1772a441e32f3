import AudioSessionCore
import Testing

@Suite struct OpenQuestionsTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func anAnsweredQuestionHasNoDeadline() {
        var questions = OpenQuestions(timeout: .seconds(1))
        #expect(questions.receive(.asked(1), now: start) == [.wake(at: start + .seconds(1))])
        #expect(questions.receive(.answered(2), now: start) == [])
        #expect(questions.receive(.answered(1), now: start) == [.finish(1, .answered), .wake(at: nil)])
        #expect(questions.receive(.answered(1), now: start) == [])
        #expect(questions.receive(.deadline, now: start + .seconds(5)) == [])
    }

    @Test func eachQuestionTimesOutAtItsOwnDeadline() {
        var questions = OpenQuestions(timeout: .seconds(1))
        _ = questions.receive(.asked(1), now: start)
        #expect(questions.receive(.asked(2), now: start + .milliseconds(400)) == [])
        #expect(
            questions.receive(.deadline, now: start + .seconds(1))
                == [.finish(1, .timedOut), .wake(at: start + .milliseconds(1400))])
        #expect(questions.receive(.deadline, now: start + .seconds(2)) == [.finish(2, .timedOut)])
    }

    @Test func losingPipeWireEndsAllQuestionsAtOnce() {
        var questions = OpenQuestions(timeout: .seconds(1))
        _ = questions.receive(.asked(1), now: start)
        _ = questions.receive(.asked(2), now: start)
        #expect(
            questions.receive(.disconnected, now: start)
                == [.finish(1, .disconnected), .finish(2, .disconnected), .wake(at: nil)])
    }
}
