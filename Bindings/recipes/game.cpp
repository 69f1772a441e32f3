// A program around the recipe for games in Docs/Integrating.md: each line of input gives the window the focus.

// recipe
#include "audiosession.hpp"
#include <SDL.h>

// Called when the game starts, and when its window gets the focus.
void choose_music(SDL_AudioDeviceID music) try {
    static audiosession::Session session([] {
        audiosession::Configuration game;
        game.category = AS_CATEGORY_AMBIENT; // mixes with others, and interrupts none
        return game;
    }());
    session.activate();
    SDL_PauseAudioDevice(music, session.is_other_audio_playing());
} catch (const audiosession::Error &) {
    SDL_PauseAudioDevice(music, 0); // there is no PipeWire
}
// end

#include <string>

int main() {
    choose_music(1);
    for (std::string line; std::getline(std::cin, line);) choose_music(1);
}
