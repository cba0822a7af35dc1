/* The only device. Its attributes are the public ones of an H100, the first device for Tile IR. */
#include "stand_in/private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAJOR = 9, MINOR = 0 };
static const char device_name[] = "tilerace stand-in device";
static const char bus_id[] = "0000:00:00.0";

static const struct attribute {
    int number, value;
} attributes[] = {
#define ATTRIBUTE(number, value, name) {number, value},
#include "stand_in/attributes.def"
#undef ATTRIBUTE
};
enum { LAST_ATTRIBUTE = 148 };

bool device_is(cu_device device)
{
    return device == 0;
}

size_t device_memory(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

unsigned device_architecture(void)
{
    unsigned value = 0;
    for (size_t i = 0; i < COUNT(attributes); i++) {
        if (attributes[i].number == CU_COMPUTE_CAPABILITY_MAJOR)
            value += 10 * (unsigned)attributes[i].value;
        if (attributes[i].number == CU_COMPUTE_CAPABILITY_MINOR)
            value += (unsigned)attributes[i].value;
    }
    return value;
}

/* Returns what a function that only asks the device returns when everything is right. */
static cu_result can_ask(cu_device device, bool right)
{
    if (!driver_is_initialised())
        return CU_NOT_INITIALIZED;
    if (!device_is(device))
        return CU_INVALID_DEVICE;
    return right ? CU_SUCCESS : CU_INVALID_VALUE;
}

API cuDeviceGet(cu_device *device, int ordinal)
{
    cu_result result = can_ask(ordinal, device);
    if (result == CU_SUCCESS)
        *device = ordinal;
    return result;
}

API cuDeviceGetCount(int *count)
{
    cu_result result = can_ask(0, count);
    if (result == CU_SUCCESS)
        *count = 1;
    return result;
}

static cu_result give_text(char *to, int length, const char *text, cu_device device)
{
    cu_result result = can_ask(device, to && length > 0);
    if (result == CU_SUCCESS)
        snprintf(to, (size_t)length, "%s", text);
    return result;
}

API cuDeviceGetName(char *name, int length, cu_device device)
{
    return give_text(name, length, device_name, device);
}

API cuDeviceGetPCIBusId(char *id, int length, cu_device device)
{
    return give_text(id, length, bus_id, device);
}

API cuDeviceGetByPCIBusId(cu_device *device, const char *id)
{
    cu_result result = can_ask(0, device && id);
    if (result == CU_SUCCESS && strcmp(id, bus_id) != 0)
        result = CU_INVALID_DEVICE;
    if (result == CU_SUCCESS)
        *device = 0;
    return result;
}

API cuDeviceGetUuid(cu_uuid *uuid, cu_device device)
{
    cu_result result = can_ask(device, uuid);
    if (result == CU_SUCCESS)
        *uuid = (cu_uuid){"tilerace standin"};
    return result;
}

API cuDeviceGetUuid_v2(cu_uuid *uuid, cu_device device)
{
    return cuDeviceGetUuid(uuid, device);
}

API cuDeviceTotalMem_v2(size_t *bytes, cu_device device)
{
    cu_result result = can_ask(device, bytes);
    if (result == CU_SUCCESS)
        *bytes = device_memory();
    return result;
}

/* An attribute that the table does not have is a feature that this device does not have. */
API cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    cu_result result = can_ask(device, value && attribute > 0 && attribute <= LAST_ATTRIBUTE);
    if (result != CU_SUCCESS)
        return result;
    *value = 0;
    for (size_t i = 0; i < COUNT(attributes); i++) {
        if (attributes[i].number == attribute)
            *value = attributes[i].value;
    }
    return CU_SUCCESS;
}

API cuDeviceComputeCapability(int *major, int *minor, cu_device device)
{
    cu_result result = can_ask(device, major && minor);
    if (result == CU_SUCCESS) {
        *major = MAJOR;
        *minor = MINOR;
    }
    return result;
}

API cuDeviceCanAccessPeer(int *can, cu_device device, cu_device peer)
{
    cu_result result = can_ask(device, can);
    if (result == CU_SUCCESS && !device_is(peer))
        result = CU_INVALID_DEVICE;
    if (result == CU_SUCCESS)
        *can = 0;
    return result;
}
