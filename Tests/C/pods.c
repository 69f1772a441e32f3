/* Sources/CPipeWireShim: all readers of parameters that come from other programs. No daemon. */
#include "pods.h"

#include "CFuzz.h"
#include "CPipeWireTestServer.h"
#include "internal.h"

#include <dirent.h>
#include <spa/param/param.h>
#include <spa/param/profile.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>
#include <stdio.h>

/* ---- Well-formed ones */

static struct pod finished(struct pod pod, const struct spa_pod_builder *builder) {
    REQUIRE(builder->state.offset > 0 && builder->state.offset <= sizeof(pod.bytes));
    pod.size = builder->state.offset;
    return pod;
}

struct pod pod_props(uint32_t count, bool mute) {
    struct pod pod = {.size = 0};
    float volumes[CPW_MAX_VOLUMES * 2];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(pod.bytes, sizeof(pod.bytes));
    for (uint32_t i = 0; i < count; i++)
        volumes[i] = 0.5f;
    spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_Props, SPA_PARAM_Props, SPA_PROP_mute, SPA_POD_Bool(mute),
                               SPA_PROP_channelVolumes, SPA_POD_Array(sizeof(float), SPA_TYPE_Float, count, volumes));
    return finished(pod, &builder);
}

struct pod pod_profile(int32_t index, const char *name) {
    struct pod pod = {.size = 0};
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(pod.bytes, sizeof(pod.bytes));
    spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamProfile, SPA_PARAM_EnumProfile, SPA_PARAM_PROFILE_index, SPA_POD_Int(index),
        SPA_PARAM_PROFILE_name, SPA_POD_String(name), SPA_PARAM_PROFILE_description, SPA_POD_String("A profile"),
        SPA_PARAM_PROFILE_priority, SPA_POD_Int(10), SPA_PARAM_PROFILE_available, SPA_POD_Id(2));
    return finished(pod, &builder);
}

struct pod pod_route(int32_t index, const char *name, int32_t device) {
    static const char *const info[] = {"port.type", "speaker", "device.product.name", "Screen",
                                       "port.availability-group", "Jack"};
    struct pod pod = {.size = 0};
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(pod.bytes, sizeof(pod.bytes));
    struct spa_pod_frame object, structure;
    const int32_t numbers[] = {0, 1, 2};
    spa_pod_builder_push_object(&builder, &object, SPA_TYPE_OBJECT_ParamRoute,
                                device < 0 ? SPA_PARAM_EnumRoute : SPA_PARAM_Route);
    spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_index, SPA_POD_Int(index), SPA_PARAM_ROUTE_direction,
                        SPA_POD_Id(SPA_DIRECTION_OUTPUT), SPA_PARAM_ROUTE_name, SPA_POD_String(name),
                        SPA_PARAM_ROUTE_description, SPA_POD_String("A route"), SPA_PARAM_ROUTE_priority,
                        SPA_POD_Int(10), SPA_PARAM_ROUTE_available, SPA_POD_Id(2), 0);
    spa_pod_builder_prop(&builder, SPA_PARAM_ROUTE_info, 0);
    spa_pod_builder_push_struct(&builder, &structure);
    spa_pod_builder_int(&builder, 3);
    for (size_t i = 0; i < SPA_N_ELEMENTS(info); i++)
        spa_pod_builder_string(&builder, info[i]);
    spa_pod_builder_pop(&builder, &structure);
    spa_pod_builder_prop(&builder, SPA_PARAM_ROUTE_profiles, 0);
    spa_pod_builder_array(&builder, sizeof(int32_t), SPA_TYPE_Int, 3, numbers);
    if (device >= 0) {
        struct pod props = pod_props(2, true);
        spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_device, SPA_POD_Int(device), SPA_PARAM_ROUTE_props,
                            SPA_POD_Pod((struct spa_pod *)props.bytes), 0);
    }
    spa_pod_builder_prop(&builder, SPA_PARAM_ROUTE_devices, 0);
    spa_pod_builder_array(&builder, sizeof(int32_t), SPA_TYPE_Int, 3, numbers);
    spa_pod_builder_pop(&builder, &object);
    return finished(pod, &builder);
}

/* ---- Damaged ones */

static const uint32_t sizes[] = {0, 1, 3, 4, 7, 8, 9, 12, 16, 64, 255, 4096, 1 << 20, 0x7ffffff8, 0x7fffffff,
                                 0x80000000, UINT32_MAX - 8, UINT32_MAX};

static void put(struct pod *pod, size_t word, uint32_t value) {
    if (4 * word + 4 <= pod->size)
        memcpy(pod->bytes + 4 * word, &value, sizeof(value));
}

void pod_damage(struct pod *pod, struct random *random) {
    for (uint32_t parts = 1 + random_below(random, 3); parts > 0; parts--) {
        size_t word = 2 + random_below(random, (uint32_t)(pod->size / 4) - 2);
        uint32_t size = sizes[random_below(random, SPA_N_ELEMENTS(sizes))], type = random_below(random, 22);
        switch (random_below(random, 8)) {
        case 0:
        case 1:
            put(pod, word, size);
            break;
        case 2:
            put(pod, word, type);
            break;
        case 3:
            put(pod, word, size);
            put(pod, word + 1, type);
            break;
        case 4: /* a choice, with what follows as its value */
            put(pod, word, random_below(random, 33));
            put(pod, word + 1, SPA_TYPE_Choice);
            put(pod, word + 2, 0);
            put(pod, word + 3, 0);
            break;
        case 5:
            pod->bytes[8 + random_below(random, (uint32_t)pod->size - 8)] = (uint8_t)random_next(random);
            break;
        case 6:
            if (pod->size > 64)
                pod->size -= 8 * (1 + random_below(random, 4));
            break;
        default: /* 16 bytes twice */
            if (pod->size + 16 > sizeof(pod->bytes) || 4 * word + 16 > pod->size)
                break;
            memmove(pod->bytes + 4 * word + 16, pod->bytes + 4 * word, pod->size - 4 * word);
            pod->size += 16;
        }
    }
}

struct pod pod_damaged(struct random *random) {
    struct pod pod;
    switch (random_below(random, 4)) {
    case 0:
        pod = pod_profile(3, "HiFi");
        break;
    case 1:
        pod = pod_props(1 + random_below(random, CPW_MAX_VOLUMES), true);
        break;
    default:
        pod = pod_route(3, "speaker", (int32_t)random_below(random, 2) - 1);
    }
    pod_damage(&pod, random);
    return pod;
}

/* ---- Reading them */

static cpt_outcome (*const readers[])(const uint8_t *, size_t) = {cpt_try_route, cpt_try_profile, cpt_try_mute,
                                                                  cpt_try_volumes};

/* Returns how many readers accept it. A copy on the heap ends as in a message. */
static unsigned read_by_all(const struct pod *pod) {
    unsigned accepted = 0;
    uint8_t *bytes = malloc(pod->size + 1);
    memcpy(bytes + 1, pod->bytes, pod->size);
    for (size_t i = 0; i < SPA_N_ELEMENTS(readers); i++) {
        cpt_outcome outcome = readers[i](pod->bytes, pod->size);
        CHECK(outcome != CPT_INSANE);
        accepted += outcome == CPT_ACCEPTED;
    }
    for (bytes[0] = 0; bytes[0] < 8; bytes[0]++) { /* selects the reader */
        cfuzz_pod(bytes, pod->size + 1);
        cfuzz_export(bytes, pod->size + 1);
    }
    struct spa_pod *copy = aligned_alloc(8, SPA_ROUND_UP_N(pod->size, 8));
    memcpy(copy, pod->bytes, pod->size);
    copy->size = (uint32_t)(pod->size - sizeof(*copy));
    cpw_format_is(copy, 48000, 2);
    free(copy);
    free(bytes);
    return accepted;
}

TEST("pods", "well-formed ones are read") {
    struct pod route = pod_route(1, "r", 0), listed = pod_route(1, "r", -1), profile = pod_profile(1, "p");
    struct pod props = pod_props(CPW_MAX_VOLUMES, false), many = pod_props(2 * CPW_MAX_VOLUMES, true);
    CHECK_EQUAL(read_by_all(&route), 1);
    CHECK_EQUAL(read_by_all(&listed), 1);
    CHECK_EQUAL(read_by_all(&profile), 1);
    CHECK_EQUAL(read_by_all(&props), 2);
    CHECK_EQUAL(read_by_all(&many), 2);
    for (size_t i = 0; i < SPA_N_ELEMENTS(readers); i++)
        CHECK_EQUAL(readers[i](NULL, 0), CPT_REFUSED);
}

TEST("pods", "every truncation is refused or read within its bounds") {
    const struct pod pods[] = {pod_route(1, "r", 0), pod_profile(1, "p"), pod_props(3, true)};
    for (size_t i = 0; i < SPA_N_ELEMENTS(pods); i++) {
        for (size_t size = sizeof(struct spa_pod); size < pods[i].size; size++) {
            struct pod part = pods[i];
            part.size = size;
            read_by_all(&part);
        }
    }
}

TEST("pods", "every word replaced by every size and type is refused or read within its bounds") {
    const struct pod pods[] = {pod_route(1, "r", 0), pod_profile(1, "p"), pod_props(3, true)};
    for (size_t i = 0; i < SPA_N_ELEMENTS(pods); i++) {
        for (size_t word = 2; word < pods[i].size / 4; word++) {
            for (uint32_t value = 0; value < SPA_N_ELEMENTS(sizes) + 22; value++) {
                struct pod other = pods[i];
                put(&other, word, value < 22 ? value : sizes[value - 22]);
                read_by_all(&other);
            }
        }
    }
}

TEST("pods", "thousands of damaged ones are refused or read within their bounds") {
    struct random random = random_start(3);
    unsigned accepted = 0;
    for (int i = 0; i < 8000; i++) {
        struct pod pod = pod_damaged(&random);
        accepted += read_by_all(&pod);
    }
    CHECK(accepted > 400); /* otherwise the damage is too coarse to test anything */
}

/* So deep that a reader that follows it would need too much stack. */
TEST("pods", "the depth of nesting is limited") {
    enum { DEPTH = 20000 };
    static uint8_t bytes[DEPTH * 16 + 2048];
    static const uint32_t types[] = {SPA_TYPE_Struct, SPA_TYPE_Choice, SPA_TYPE_Array, SPA_TYPE_Object};
    for (size_t type = 0; type < SPA_N_ELEMENTS(types); type++) {
        struct pod route = pod_route(1, "r", 0);
        size_t start = SPA_ROUND_UP_N(route.size, 8);
        memcpy(bytes, route.bytes, route.size);
        uint32_t property[] = {SPA_PARAM_ROUTE_info, 0};
        memcpy(bytes + start, property, sizeof(property));
        for (uint32_t level = 0; level < DEPTH; level++) {
            uint32_t words[] = {16 * (DEPTH - level) - 8, types[type], 0, 0};
            memcpy(bytes + start + 8 + 16 * (size_t)level, words, sizeof(words));
        }
        CHECK(cpt_try_route(bytes, start + 8 + DEPTH * 16) != CPT_INSANE);
    }
}

static void add_property(struct pod *pod, uint32_t key, uint32_t type, uint32_t size, const uint32_t *body) {
    const uint32_t words[] = {key, 0, size, type};
    memcpy(pod->bytes + pod->size, words, sizeof(words));
    memcpy(pod->bytes + pod->size + sizeof(words), body, size);
    pod->size += sizeof(words) + SPA_ROUND_UP_N(size, 8);
}

/* The parser reads a choice of one value as that value, without checking that the choice holds
 * it. */
TEST("pods", "a choice that holds less than its value claims is not followed") {
    static const uint32_t claims[] = {4, 5, 100, 1 << 20, UINT32_MAX - 8};
    static const uint32_t types[] = {SPA_TYPE_Bool, SPA_TYPE_Id, SPA_TYPE_Int, SPA_TYPE_String, SPA_TYPE_Array,
                                     SPA_TYPE_Struct, SPA_TYPE_Object};
    static const uint32_t kinds[] = {SPA_TYPE_OBJECT_ParamRoute, SPA_TYPE_OBJECT_ParamProfile, SPA_TYPE_OBJECT_Props};
    static const uint32_t plain[][2] = {
        {1, SPA_TYPE_Int}, {2, SPA_TYPE_Id}, {2, SPA_TYPE_String}, {4, SPA_TYPE_String}};
    for (size_t i = 0; i < 12 * SPA_N_ELEMENTS(claims) * SPA_N_ELEMENTS(types) * SPA_N_ELEMENTS(kinds); i++) {
        uint32_t key = (uint32_t)i % 12, claim = claims[i / 12 % 5], type = types[i / 60 % 7], kind = kinds[i / 420];
        if (kind == SPA_TYPE_OBJECT_Props)
            key = key % 2 == 0 ? SPA_PROP_mute : SPA_PROP_channelVolumes;
        struct pod pod = {.size = 16};
        const uint32_t header[] = {0, SPA_TYPE_Object, kind, 0}, value[] = {'r', 0}, choice[] = {0, 0, claim, type};
        memcpy(pod.bytes, header, sizeof(header));
        for (size_t p = 0; p < SPA_N_ELEMENTS(plain); p++)
            if (plain[p][0] != key && p != (kind == SPA_TYPE_OBJECT_ParamProfile ? 1 : 2)) /* its own kind of 2 */
                add_property(&pod, plain[p][0], plain[p][1], 4, value);
        add_property(&pod, key, SPA_TYPE_Choice, sizeof(choice), choice);
        uint32_t size = (uint32_t)pod.size - 8;
        memcpy(pod.bytes, &size, sizeof(size));
        read_by_all(&pod);
    }
}

static size_t read_corpus(const char *name, void (*reader)(const uint8_t *bytes, size_t size)) {
    char path[300];
    size_t count = 0;
    snprintf(path, sizeof(path), "Tests/Fuzz/Corpus/%s", name);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof(path), "Tests/Fuzz/Corpus/%s/%s", name, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
        if (file == NULL)
            continue;
        uint8_t *bytes = malloc(65536), *exact;
        size_t size = fread(bytes, 1, 65536, file);
        exact = realloc(bytes, size > 0 ? size : 1);
        reader(exact, size);
        free(exact);
        fclose(file);
        count++;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

TEST("pods", "the fuzzers' corpus is read within its bounds") {
    CHECK(read_corpus("pod", cfuzz_pod) > 0);
    CHECK(read_corpus("export", cfuzz_export) > 0);
}
