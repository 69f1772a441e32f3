/* peer-pipewire KIND|all|nothing [slow MICROSECONDS | lie | typed] */
#include <floor.h>

int main(int count, char **arguments) { return floor_client(count, arguments); }
