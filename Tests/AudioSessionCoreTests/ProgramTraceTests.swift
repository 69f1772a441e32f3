import Testing

@testable import AudioSessionCore

@Suite struct ProgramTraceTests {
    @Test func aProgramIsItsProcessAndItsChildren() {
        let browser = ProgramTrace(lineage: [100, 50])
        #expect(browser.isSameProgram(as: ProgramTrace(lineage: [100, 50])))
        #expect(browser.isSameProgram(as: ProgramTrace(lineage: [130, 120, 100, 50])))
        #expect(ProgramTrace(lineage: [130, 120, 100, 50]).isSameProgram(as: browser))
        #expect(!browser.isSameProgram(as: ProgramTrace(lineage: [101, 50])), "of the same shell")
        #expect(!browser.isSameProgram(as: ProgramTrace(lineage: [])))
    }

    @Test func aSandboxIsOneProgram() {
        let player = ProgramTrace(lineage: [7], sandbox: .init(instance: "1234", application: "org.x"))
        #expect(player.isSameProgram(as: ProgramTrace(lineage: [9], sandbox: .init(instance: "1234"))))
        #expect(!player.isSameProgram(as: ProgramTrace(lineage: [9], sandbox: .init(instance: "99"))))
        #expect(!player.isSameProgram(as: ProgramTrace(lineage: [9])))
    }

    @Test func aSandboxWhoseRunIsUnknownIsThatOfItsApplication() {
        let stream = ProgramTrace(lineage: [], sandbox: .init(application: "org.x"))
        for instance in ["1234", nil] as [String?] {
            let same = ProgramTrace(lineage: [7], sandbox: .init(instance: instance, application: "org.x"))
            #expect(stream.isSameProgram(as: same) && same.isSameProgram(as: stream))
            let other = ProgramTrace(lineage: [7], sandbox: .init(instance: instance, application: "org.y"))
            #expect(!stream.isSameProgram(as: other) && !other.isSameProgram(as: stream))
        }
        let two = ["1", "2"].map { ProgramTrace(lineage: [], sandbox: .init(instance: $0, application: "org.x")) }
        #expect(!two[0].isSameProgram(as: two[1]))
    }

    @Test func anIndexFindsTheSamePrograms() {
        let lineages: [[Int]] = [[], [100], [100, 50], [130, 120, 100, 50], [7], [9, 7]]
        let sandboxes: [ProgramTrace.Sandbox?] = [
            nil, .init(instance: "1"), .init(instance: "1", application: "x"),
            .init(instance: "2", application: "x"), .init(application: "x"), .init(application: "y"),
        ]
        let programs = lineages.flatMap { lineage in
            sandboxes.map { ProgramTrace(lineage: lineage, sandbox: $0) }
        }
        for some in programs {
            for other in programs {
                let index = ProgramIndex([some, other])
                for program in programs {
                    let isSame = some.isSameProgram(as: program) || other.isSameProgram(as: program)
                    #expect(index.contains(program) == isSame, "\(program) among \(some) and \(other)")
                }
            }
        }
    }
}
