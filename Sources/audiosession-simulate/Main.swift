import AudioSessionSimulation

@main
enum Main {
    static func main() async { await AudioSessionSimulation.run() }
}
