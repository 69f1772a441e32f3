import AudioSessions
import PipeWireGraph

/// The commands that choose the session's ports and data sources.
extension RunConsole {
    func prefer(_ uid: String?, _ direction: PortDirection) async throws {
        let ports = direction == .output ? manager.availableOutputs : manager.availableInputs
        // The session refuses a port that does not exist, and its error gives the reason.
        let port = uid.map { uid in
            ports.first { $0.uid == uid }
                ?? PortDescription(type: .unknown, name: uid, uid: uid, direction: direction)
        }
        switch direction {
        case .output: try await session.setPreferredOutput(port)
        case .input: try await session.setPreferredInput(port)
        }
    }

    /// Returns the data sources of the ports in use. After a selection it returns nothing, because
    /// the change has only been requested.
    func sources(_ selection: RunCommandLine.Selection?) async throws -> [(String, JSONValue)] {
        guard let selection else {
            let (inputs, outputs) = (session.inputDataSources, session.outputDataSources)
            let (input, output) = (session.inputDataSource, session.outputDataSource)
            return [
                ("inputs", RunFormat.sources(inputs, selected: input)),
                ("outputs", RunFormat.sources(outputs, selected: output)),
            ]
        }
        for direction in PortDirection.allCases where session.routeChoice[direction]?.port?.uid == selection.port {
            try await select(selection.source, of: selection.port, direction)
            return []
        }
        let ports = PortDirection.allCases.compactMap { session.routeChoice[$0]?.port?.uid }
        let code = AudioSessionError.Code.resourceNotAvailable
        throw RunFailure(
            code.name, code: code.status,
            "The session does not use the port '\(selection.port.prefix(80))'. It uses "
                + "\(ports.isEmpty ? "none" : ports.joined(separator: ", ")).")
    }

    private func select(_ id: String?, of uid: String, _ direction: PortDirection) async throws {
        let sources = direction == .output ? session.outputDataSources : session.inputDataSources
        let source = id.map { id in
            sources.first { $0.id == id }
                ?? DataSource(
                    id: id, name: id,
                    port: PortDescription(type: .unknown, name: id, uid: uid, direction: direction))
        }
        switch direction {
        case .output: try await session.setOutputDataSource(source)
        case .input: try await session.setInputDataSource(source)
        }
    }
}
