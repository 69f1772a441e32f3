#include "objects.h"
#include "session.h"

static as_port_type first_type(const as_route *route, as_direction direction) {
    as_port port = AS_PORT_INIT;
    return as_route_port(route, direction, 0, &port) == AS_OK ? port.type : AS_PORT_UNKNOWN;
}

/* Route names that programs of that time compare with. Ports without a name at that time have
 * new names. */
CFStringRef as_old_route_name(const as_route *route, bool records) {
    bool has_input = records && as_route_count(route, AS_DIRECTION_INPUT) > 0;
    bool has_headset_mic = has_input && first_type(route, AS_DIRECTION_INPUT) == AS_PORT_HEADSET_MIC;
    if (as_route_count(route, AS_DIRECTION_OUTPUT) == 0) return has_input ? CFSTR("MicrophoneBuiltIn") : CFSTR("");
    switch (first_type(route, AS_DIRECTION_OUTPUT)) {
    case AS_PORT_HEADPHONES:
        if (has_headset_mic) return CFSTR("HeadsetInOut");
        return has_input ? CFSTR("HeadphonesAndMicrophone") : CFSTR("Headphone");
    case AS_PORT_BUILT_IN_SPEAKER: return has_input ? CFSTR("SpeakerAndMicrophone") : CFSTR("Speaker");
    case AS_PORT_BUILT_IN_RECEIVER: return has_input ? CFSTR("ReceiverAndMicrophone") : CFSTR("Receiver");
    case AS_PORT_LINE_OUT: return CFSTR("LineOut");
    case AS_PORT_BLUETOOTH_A2DP:
    case AS_PORT_BLUETOOTH_LE: return CFSTR("HeadphonesBT");
    case AS_PORT_BLUETOOTH_HFP: return CFSTR("HeadsetBT");
    case AS_PORT_AIR_PLAY: return CFSTR("AirTunes");
    case AS_PORT_HDMI:
    case AS_PORT_DISPLAY_PORT: return CFSTR("HDMI");
    case AS_PORT_USB_AUDIO: return CFSTR("USB");
    default: return CFSTR("Other");
    }
}

/* MARK: Descriptions */

/* Displays and low-energy headphones use the existing name of a similar port. */
static CFStringRef port_type(const as_port *port) {
    bool is_input = port->direction == AS_DIRECTION_INPUT;
    switch (port->type) {
    case AS_PORT_BUILT_IN_SPEAKER: return kAudioSessionOutputRoute_BuiltInSpeaker;
    case AS_PORT_BUILT_IN_RECEIVER: return kAudioSessionOutputRoute_BuiltInReceiver;
    case AS_PORT_BUILT_IN_MIC: return kAudioSessionInputRoute_BuiltInMic;
    case AS_PORT_HEADPHONES: return kAudioSessionOutputRoute_Headphones;
    case AS_PORT_HEADSET_MIC: return kAudioSessionInputRoute_HeadsetMic;
    case AS_PORT_LINE_OUT: return kAudioSessionOutputRoute_LineOut;
    case AS_PORT_LINE_IN: return kAudioSessionInputRoute_LineIn;
    case AS_PORT_HDMI:
    case AS_PORT_DISPLAY_PORT: return kAudioSessionOutputRoute_HDMI;
    case AS_PORT_AIR_PLAY: return kAudioSessionOutputRoute_AirPlay;
    case AS_PORT_BLUETOOTH_A2DP:
    case AS_PORT_BLUETOOTH_LE:
        return is_input ? kAudioSessionInputRoute_BluetoothHFP : kAudioSessionOutputRoute_BluetoothA2DP;
    case AS_PORT_BLUETOOTH_HFP:
        return is_input ? kAudioSessionInputRoute_BluetoothHFP : kAudioSessionOutputRoute_BluetoothHFP;
    case AS_PORT_USB_AUDIO: return is_input ? kAudioSessionInputRoute_USBAudio : kAudioSessionOutputRoute_USBAudio;
    case AS_PORT_CAR_AUDIO: return CFSTR("CarAudio");
    case AS_PORT_VIRTUAL: return CFSTR("Virtual");
    case AS_PORT_PCI: return CFSTR("PCI");
    case AS_PORT_FIRE_WIRE: return CFSTR("FireWire");
    case AS_PORT_THUNDERBOLT: return CFSTR("Thunderbolt");
    case AS_PORT_AVB: return CFSTR("AVB");
    case AS_PORT_NETWORK: return CFSTR("Network");
    default: return CFSTR("Unknown");
    }
}

static CFDictionaryRef describe_port(const as_port *port) {
    CFStringRef name = CFStringCreateWithCString(kCFAllocatorDefault, port->name, kCFStringEncodingUTF8);
    CFStringRef uid = CFStringCreateWithCString(kCFAllocatorDefault, port->uid, kCFStringEncodingUTF8);
    CFStringRef keys[] = {
        kAudioSession_AudioRouteKey_Type, CFSTR("RouteDetailedDescription_Name"), CFSTR("RouteDetailedDescription_UID")};
    CFTypeRef values[] = {port_type(port), name, uid};
    CFDictionaryRef description = as_cf_make_dictionary(3, keys, values);
    CFRelease(name);
    CFRelease(uid);
    return description;
}

static CFArrayRef describe_ports(const as_route *route, as_direction direction, bool is_used) {
    uint32_t count = is_used ? as_route_count(route, direction) : 0;
    struct as_cf_array *ports = as_cf_make_array(count);
    for (uint32_t i = 0; ports && i < count; i++) {
        as_port port = AS_PORT_INIT;
        if (as_route_port(route, direction, i, &port) != AS_OK) continue;
        CFDictionaryRef description = describe_port(&port);
        if (description) as_cf_append(ports, description);
    }
    return ports;
}

CFDictionaryRef as_old_describe_route(const as_route *route, bool records) {
    CFStringRef keys[] = {kAudioSession_AudioRouteKey_Inputs, kAudioSession_AudioRouteKey_Outputs};
    CFArrayRef inputs = describe_ports(route, AS_DIRECTION_INPUT, records);
    CFArrayRef outputs = describe_ports(route, AS_DIRECTION_OUTPUT, true);
    CFTypeRef values[] = {inputs, outputs};
    CFDictionaryRef description = as_cf_make_dictionary(2, keys, values);
    CFRelease(inputs);
    CFRelease(outputs);
    return description;
}
