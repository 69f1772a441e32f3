/* peer-pipewire KIND|all [slow MICROSECONDS | lie | typed] */
#include <floor.h>

int main(int count, char **arguments) { return floor_client(count, arguments); }
