import AudioSessionTool

@main
enum Main {
    static func main() async { await AudioSessionTool.run() }
}
