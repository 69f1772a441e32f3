/* The two names of SDL that the recipe for games uses, so that it compiles and runs where SDL is not installed. */
#include <cstdint>
#include <iostream>

typedef uint32_t SDL_AudioDeviceID;

inline void SDL_PauseAudioDevice(SDL_AudioDeviceID, int pause) {
    std::cout << (pause ? "music off" : "music on") << std::endl;
}
