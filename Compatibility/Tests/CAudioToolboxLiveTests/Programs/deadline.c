/* Makes one call for each line of its input, and prints how it ended and after how many milliseconds. */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <time.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(void) {
    char line[80];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (AudioSessionInitialize(NULL, NULL, NULL, NULL) != kAudioSessionNoError) return 1;
    puts("ready");
    while (fgets(line, sizeof(line), stdin)) {
        long begin = now();
        OSStatus status = AudioSessionSetActive(true);
        printf("activate %d %ld\n", (int)status, now() - begin);
    }
    return 0;
}
