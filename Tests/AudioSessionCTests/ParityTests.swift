import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// The values that C programs read and set, besides activation, without PipeWire.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ParityTests {
    @Test func silenceReasonsNameEachCause() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        #expect(try reasons(of: session) == ["0 gain 1.0 pid false -"])
        #expect(as_session_activate(session, nil) == AS_OK)
        let (first, second) = (try await laptop.another("First"), try await laptop.another("Second"))
        try await first.activate()
        try await second.activate()
        let interrupted = try reasons(of: session)
        #expect(
            interrupted.map { $0.suffix(8) }.allSatisfy { ["ue First", "e Second"].contains($0) }, "\(interrupted)")
        #expect(interrupted.allSatisfy { $0.hasPrefix("1 gain 1.0") })
        for film in [second, first] { try await film.deactivate() }
        #expect(as_session_activate(session, nil) == AS_OK)
        let prompt = try await laptop.another("Prompt", .init(.playback, options: .duckOthers))
        try await prompt.activate()
        #expect(try reasons(of: session).first?.hasPrefix("3 gain 0.2") == true)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    private func reasons(of session: OpaquePointer) throws -> [String] {
        var list: OpaquePointer?
        try #require(as_session_get_silence_reasons(session, &list) == AS_OK)
        defer { #expect(as_silence_reasons_free(list) == AS_OK) }
        var reason = as_silence_reason()
        reason.size = UInt32(MemoryLayout<as_silence_reason>.size)
        #expect(as_silence_reasons_get(list, as_silence_reasons_count(list), &reason) == AS_ERROR_BAD_PARAM)
        return (0..<as_silence_reasons_count(list)).map { index in
            #expect(as_silence_reasons_get(list, index, &reason) == AS_OK)
            let name = reason.cause_name.map { String(cString: $0) } ?? "-"
            #expect((reason.cause_session == nil) == (reason.cause_name == nil))
            return "\(reason.kind.rawValue) gain \(reason.gain) pid \(reason.cause_pid > 0) \(name)"
        }
    }

    @Test func aPreferredPortIsChosenWithItsReason() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var ports: OpaquePointer?
        #expect(as_manager_get_available_ports(laptop.manager, &ports) == AS_OK)
        let speaker = try port(of: ports, 0) { String(cString: $0.name) == "Speakers" }
        #expect(speaker.type == AS_PORT_BUILT_IN_SPEAKER && speaker.direction == AS_DIRECTION_OUTPUT)
        #expect(String(cString: speaker.channels) == "FL,FR")
        #expect(String(cString: speaker.node_name) == "sink" && String(cString: speaker.device_name) == "card")
        #expect(!String(cString: speaker.type_reason).isEmpty)
        #expect(as_session_set_preferred_port(session, AS_DIRECTION_OUTPUT, speaker.uid, nil) == AS_OK)
        var preferred: OpaquePointer?
        #expect(as_session_get_preferred_ports(session, &preferred) == AS_OK)
        #expect(as_route_count(preferred, AS_DIRECTION_OUTPUT) == 1)
        #expect(as_route_count(preferred, AS_DIRECTION_INPUT) == 0)
        #expect(try choice(of: session) == "1 Speakers nil Speakers, because the program prefers it.")

        var error = as_error.new
        #expect(
            as_session_set_preferred_port(session, AS_DIRECTION_OUTPUT, "none such", &error)
                == AS_ERROR_RESOURCE_NOT_AVAILABLE)
        #expect(error.text.contains("'none such'"))
        #expect(
            as_session_set_preferred_port(session, AS_DIRECTION_INPUT, nil, nil) == AS_ERROR_INCOMPATIBLE_CATEGORY)
        #expect(as_session_set_preferred_port(session, as_direction(rawValue: 2), nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_set_preferred_port(session, AS_DIRECTION_OUTPUT, nil, nil) == AS_OK)
        #expect(try choice(of: session).hasPrefix("0 Headphones nil"))
        var input: OpaquePointer? = laptop.manager
        #expect(as_session_get_choice(session, AS_DIRECTION_INPUT, &input) == AS_OK && input == nil)
        for route in [ports, preferred] { #expect(as_route_free(route) == AS_OK) }
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    private func choice(of session: OpaquePointer) throws -> String {
        var choice: OpaquePointer?
        try #require(as_session_get_choice(session, AS_DIRECTION_OUTPUT, &choice) == AS_OK)
        defer { #expect(as_choice_free(choice) == AS_OK) }
        var info = as_choice_info()
        #expect(as_choice_get(choice, &info) == AS_ERROR_BAD_PARAM)
        info.size = UInt32(MemoryLayout<as_choice_info>.size)
        #expect(as_choice_get(choice, &info) == AS_OK)
        let (port, wanted) = (
            info.port.map { String(cString: $0.pointee.name) } ?? "nil",
            info.wanted.map { String(cString: $0.pointee.name) } ?? "nil"
        )
        return "\(info.reason.rawValue) \(port) \(wanted) \(String(cString: info.description))"
    }

    private func port(
        of route: OpaquePointer?, _ direction: UInt32, where matches: (as_port) -> Bool
    ) throws -> as_port {
        let direction = as_direction(rawValue: direction)
        let ports = (0..<as_route_count(route, direction)).map { index in
            var port = as_port()
            port.size = UInt32(MemoryLayout<as_port>.size)
            #expect(as_route_port(route, direction, index, &port) == AS_OK)
            return port
        }
        let found = ports.first(where: matches)
        return try #require(found)
    }

    @Test func dataSourcesAreListedAndSwitched() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var (route, sources) = (nil as OpaquePointer?, nil as OpaquePointer?)
        #expect(as_manager_get_route(laptop.manager, &route) == AS_OK)
        let headphones = try port(of: route, 0) { _ in true }
        #expect(as_manager_get_data_sources(laptop.manager, headphones.uid, &sources, nil) == AS_OK)
        #expect(as_data_sources_count(sources) == 0)
        var source = as_data_source()
        source.size = UInt32(MemoryLayout<as_data_source>.size)
        #expect(as_data_sources_get(sources, 0, &source) == AS_ERROR_BAD_PARAM)
        #expect(as_data_sources_free(sources) == AS_OK)
        var error = as_error.new
        #expect(
            as_manager_get_data_sources(laptop.manager, "none such", &sources, &error)
                == AS_ERROR_RESOURCE_NOT_AVAILABLE)
        #expect(sources == nil && error.text.hasPrefix("The port 'none such' is not available. Pass the uid"))
        #expect(as_session_get_data_sources(session, AS_DIRECTION_OUTPUT, &sources, nil) == AS_OK)
        #expect(as_data_sources_free(sources) == AS_OK)
        #expect(as_session_set_data_source(session, AS_DIRECTION_OUTPUT, nil, nil) == AS_OK)
        #expect(
            as_session_set_data_source(session, AS_DIRECTION_OUTPUT, "front", &error)
                == AS_ERROR_RESOURCE_NOT_AVAILABLE)
        #expect(error.text.contains("'front'"))
        #expect(as_route_free(route) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    /// Each member of a data source reaches the C program.
    @Test func aDataSourceIsRead() throws {
        let port = PortDescription(type: .builtInMic, name: "Microphone", uid: "mic", direction: .input)
        let all = ["front", "back"].map {
            DataSource(id: $0, name: "The \($0)", orientation: .init(rawValue: $0), port: port)
        }
        let sources = DataSources(all, selected: all[1])
        let (front, back) = (try sources.source(0), try sources.source(1))
        #expect(front.orientation == AS_ORIENTATION_FRONT && back.orientation == AS_ORIENTATION_BACK)
        #expect(!front.is_selected && back.is_selected)
        #expect(String(cString: back.id) == "back" && String(cString: back.name) == "The back")
        #expect(String(cString: back.port_uid) == "mic")
        withExtendedLifetime(sources) {}
    }

    @Test func aSessionIsActiveUntilItsLastHoldEnds() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var (first, second) = (nil as OpaquePointer?, nil as OpaquePointer?)
        #expect(as_session_hold(session, &first, nil) == AS_OK)
        #expect(as_session_hold(session, &second, nil) == AS_OK)
        #expect(as_hold_end(first) == AS_OK)
        #expect(info(of: session).state == AS_STATE_ACTIVE)
        #expect(as_hold_end(second) == AS_OK)
        #expect(info(of: session).state == AS_STATE_INACTIVE)
        #expect(as_hold_end(second) == AS_ERROR_BAD_HANDLE)
        let call = try await laptop.another("Call", .init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        #expect(as_session_hold(session, &first, nil) == AS_ERROR_INSUFFICIENT_PRIORITY && first == nil)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    private func info(of session: OpaquePointer) -> as_session_info {
        var info = as_session_info()
        info.size = UInt32(MemoryLayout<as_session_info>.size)
        #expect(as_session_get_info(session, &info) == AS_OK)
        return info
    }

    @Test func preferencesAreReadBack() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        #expect(info(of: session).replug_limit == 300_000 && !info(of: session).resumes_on_replug)
        #expect(as_session_set_resumes_on_replug(session, true, 1500, nil) == AS_OK)
        #expect(info(of: session).replug_limit == 1500 && info(of: session).resumes_on_replug)
        #expect(as_session_set_resumes_on_replug(session, true, 0, nil) == AS_OK)
        #expect(info(of: session).replug_limit == 300_000)
        #expect(info(of: session).maximum_output_channels == 2)
        #expect(as_session_set_preferred_channels(session, AS_DIRECTION_OUTPUT, 1, nil) == AS_OK)
        #expect(info(of: session).preferred_output_channels == 1 && info(of: session).output_channels == 1)
        #expect(as_session_set_preferred_channels(session, AS_DIRECTION_OUTPUT, 3, nil) == AS_ERROR_BAD_PARAM)
        #expect(
            as_session_set_preferred_channels(session, AS_DIRECTION_INPUT, 1, nil) == AS_ERROR_INCOMPATIBLE_CATEGORY)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func aConfigurationIsReadBack() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var (configuration, error, read) = (as_configuration.playback, as_error.new, as_configuration())
        configuration.category = AS_CATEGORY_PLAY_AND_RECORD
        configuration.mode = AS_MODE_VIDEO_CHAT
        configuration.options = AS_OPTION_DEFAULT_TO_SPEAKER.rawValue
        configuration.priority = AS_PRIORITY_RINGTONE
        #expect(as_configuration_validate(&configuration, &error) == AS_OK)
        try "a group".withCString { group in
            configuration.group = group
            try #require(as_session_configure(session, &configuration, &error) == AS_OK, "\(error.text)")
        }
        read.size = UInt32(MemoryLayout<as_configuration>.size)
        #expect(as_session_get_configuration(session, &read) == AS_OK)
        #expect(read.category == AS_CATEGORY_PLAY_AND_RECORD && read.mode == AS_MODE_VIDEO_CHAT)
        #expect(read.options == 8 && read.priority == AS_PRIORITY_RINGTONE && read.policy == AS_POLICY_DEFAULT)
        #expect(String(cString: try #require(read.group)) == "a group")
        configuration.category = AS_CATEGORY_PLAYBACK
        #expect(as_configuration_validate(&configuration, &error) == AS_ERROR_BAD_PARAM)
        var id = [CChar](repeating: 1, count: Int(AS_SESSION_ID_SIZE))
        #expect(as_session_get_id(session, &id) == AS_OK)
        #expect(id.firstIndex(of: 0) == 36)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func theManagerReadsAndSetsTheComputersState() async throws {
        let laptop = try await Laptop()
        let lines = ReceivedLines()
        let context = Unmanaged.passUnretained(lines).toOpaque()
        let status = as_manager_set_handler(
            laptop.manager,
            { manager, event, context in
                guard let event = event?.pointee, let context else { return }
                var info = as_manager_info()
                info.size = UInt32(MemoryLayout<as_manager_info>.size)
                // A handler may call its own manager.
                guard as_manager_get_info(manager, &info) == AS_OK else { return }
                Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append(
                    "\(event.type.rawValue) \(event.is_silent_mode) \(info.is_silent_mode)")
            }, context)
        #expect(status == AS_OK)
        #expect(as_manager_set_silent_mode(laptop.manager, true, nil) == AS_OK)
        try await lines.wait(for: "15 true true")
        laptop.pullHeadphones()
        for type in [5, 6, 14] { try await lines.wait(for: "\(type) false true") }
        #expect(as_manager_set_input_muted(laptop.manager, true, nil) == AS_OK)
        var info = as_manager_info()
        info.size = UInt32(MemoryLayout<as_manager_info>.size)
        #expect(as_manager_get_info(laptop.manager, &info) == AS_OK)
        #expect(info.is_input_muted && info.is_silent_mode)
        let session = try laptop.session()
        let film = try await laptop.another("Film")
        try await film.activate()
        #expect(as_manager_set_in_background(laptop.manager, true, nil) == AS_OK)
        #expect(as_session_activate(session, nil) == AS_ERROR_CANNOT_INTERRUPT_OTHERS)
        #expect(as_manager_set_in_background(laptop.manager, false, nil) == AS_OK)
        #expect(as_session_activate(session, nil) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
        withExtendedLifetime(lines) {}
    }

    @Test func nullIsAnErrorHereToo() {
        #expect(as_manager_set_handler(nil, nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_manager_get_info(nil, nil) == AS_ERROR_BAD_HANDLE)
        for get in [as_manager_get_route, as_manager_get_available_ports, as_session_get_silence_reasons] {
            #expect(get(nil, nil) == AS_ERROR_BAD_PARAM)
        }
        for set in [as_manager_set_silent_mode, as_manager_set_input_muted, as_manager_set_in_background] {
            #expect(set(nil, true, nil) == AS_ERROR_BAD_HANDLE)
        }
        #expect(as_manager_get_data_sources(nil, nil, nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_get_data_sources(nil, AS_DIRECTION_OUTPUT, nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_set_data_source(nil, AS_DIRECTION_OUTPUT, nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_set_preferred_port(nil, AS_DIRECTION_OUTPUT, nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_get_preferred_ports(nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_get_choice(nil, AS_DIRECTION_OUTPUT, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_get_configuration(nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_get_id(nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_hold(nil, nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_set_resumes_on_replug(nil, true, 0, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_set_preferred_channels(nil, AS_DIRECTION_OUTPUT, 1, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_silence_reasons_count(nil) == 0 && as_data_sources_count(nil) == 0)
        for free in [as_silence_reasons_free, as_data_sources_free, as_choice_free, as_hold_end] {
            #expect(free(nil) == AS_OK)
        }
        #expect(as_choice_get(nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(String(cString: as_pipewire_version()).contains("."))
    }
}
